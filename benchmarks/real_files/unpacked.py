"""Files written anew: archives of texts and ARFF in a form that we read, and files sorted by class.

Rows that come sorted by class are written in a random order that a seed fixes.
"""

from __future__ import annotations

import csv
import random
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.real_files.content import text_of

Texts = list[tuple[str, str]]


def newsgroups(path: Path) -> Texts:
    """Messages to 20 newsgroups, without their headers."""
    found = []
    with tarfile.open(path) as archive:
        for member in archive:
            group = Path(member.name).parent.name
            content = archive.extractfile(member) if "." in group else None
            if content is not None and Path(member.name).name.isdigit():
                found.append((group, content.read().decode("latin-1").partition("\n\n")[2]))
    return found


def a_folder_a_class(path: Path) -> Texts:
    """One text a file, its class the name of the folder."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.endswith(".txt")]
        return [(Path(name).parent.name, archive.read(name).decode("latin-1")) for name in names]


def a_file_a_class(path: Path) -> Texts:
    """One text a line, its class the name of the file."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if "README" not in name and name[-1] != "/"]
        lines = {name: archive.read(name).decode("latin-1").splitlines() for name in names}
    return [(Path(name).name, line) for name, own in lines.items() for line in own]


def questions(path: Path) -> Texts:
    """One question a line, after the kind of answer it asks for."""
    with zipfile.ZipFile(path) as archive:
        text = "".join(
            archive.read(f"qc/{part}.txt").decode("latin-1") for part in ("train", "test")
        )
    lines = [line.partition(" ") for line in text.splitlines() if line]
    return [(label.partition(":")[0], question) for label, _, question in lines]


#: The archives that hold texts, by name, and how they are read.
ARCHIVES: dict[str, Callable[[Path], Texts]] = {
    "20news-bydate.tar.xz": newsgroups,
    "movie_reviews.zip": a_folder_a_class,
    "sentence_polarity.zip": a_file_a_class,
    "subjectivity.zip": a_file_a_class,
    "qc.zip": questions,
}
#: Tables in ARFF whose class is not the last attribute, or that have a name for each row.
LABELS = {"spect.train": "OVERALL_DIAGNOSIS", "spect.test": "OVERALL_DIAGNOSIS"}
IGNORED = {"zoo": "animal"}


def write_texts(path: Path, folder: Path) -> Path:
    """An archive of texts as lines of ``label<TAB>text``."""
    rows = ARCHIVES[path.name](path)
    random.Random(0).shuffle(rows)
    written = folder / f"{path.name.partition('.')[0]}.tsv"
    lines = [f"{label}\t{' '.join(text.split())}\n" for label, text in rows]
    written.write_text("".join(lines), "utf-8")
    return written


def write_table(path: Path, folder: Path) -> Path:
    """A table in ARFF as CSV with a header, the class in a column called label."""
    text = [line.strip() for line in path.read_text("latin-1").splitlines()]
    heads = [line.split()[1].strip("'\"") for line in text if line.lower().startswith("@attribute")]
    data = [line.lower() for line in text].index("@data") + 1
    rows = [row for row in csv.reader(text[data:]) if row and not row[0].startswith("%")]
    random.Random(0).shuffle(rows)
    label = LABELS.get(path.stem, heads[-1])
    kept = [i for i, head in enumerate(heads) if head != IGNORED.get(path.stem)]
    written = folder / f"{path.stem}.csv"
    with written.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["label" if heads[i] == label else heads[i] for i in kept])
        out.writerows([[row[i].strip().strip("'\"") for i in kept] for row in rows])
    return written


def shuffled(path: Path, folder: Path, has_header: bool) -> Path:
    """The lines of a file in another order, its header first if it has one."""
    lines = text_of(path).splitlines(keepends=True)
    head, rows = lines[:has_header], lines[has_header:]
    random.Random(0).shuffle(rows)
    written = folder / path.name.removesuffix(".xz")
    written.write_text("".join([*head, *rows]), "utf-8")
    return written
