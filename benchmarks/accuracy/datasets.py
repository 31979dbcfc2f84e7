"""The data sets as rows and classes, read from a folder of their original files.

Text is cut into words the same way for every competitor: lower case, runs of letters, digits
and apostrophes, each word with the number of times it occurs. Where a set comes in a training
and a test part, both are played: progressive error needs no part kept back.
"""

from __future__ import annotations

import csv
import lzma
import re
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

WORD = re.compile(r"[\w']+")


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Rows and the class of each, 0 to ``n_classes - 1``; in a set of two, 1 is positive."""

    name: str
    rows: csr_matrix
    classes: NDArray[np.int64]
    counts: bool = False  #: whether values say how often a word occurs

    @property
    def n_classes(self) -> int:
        """Number of different classes."""
        return int(self.classes.max()) + 1

    def shuffled(self, seed: int) -> Dataset:
        """The same rows in the order that belongs to `seed`."""
        order = np.random.default_rng(seed).permutation(len(self.classes))
        return replace(self, rows=self.rows[order], classes=self.classes[order])


def words(text: str, longest: int = 1) -> list[str]:
    """The words of a text, and its runs of up to `longest` words."""
    single = WORD.findall(text.lower())
    return [
        " ".join(single[start : start + n])
        for n in range(1, longest + 1)
        for start in range(len(single) - n + 1)
    ]


def from_counts(name: str, bags: Iterable[Sequence[str]], labels: Sequence[str]) -> Dataset:
    """A set of rows of words; columns in order of appearance, classes in order of name."""
    column: dict[str, int] = {}
    start, index, value = [0], [], []
    for bag in bags:
        row = {column.setdefault(word, len(column)): n for word, n in Counter(bag).items()}
        for i in sorted(row):
            index.append(i)
            value.append(float(row[i]))
        start.append(len(index))
    rows = csr_matrix((value, index, start), shape=(len(start) - 1, len(column)))
    classes = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    return Dataset(name, rows, classes, counts=True)


def opened(path: Path) -> bytes:
    """The bytes of a file, or of its compressed neighbour."""
    if path.exists():
        return path.read_bytes()
    return lzma.decompress(path.with_name(path.name + ".xz").read_bytes())


def from_svmlight(name: str, *paths: Path) -> Dataset:
    """A set in svmlight form; labels above 0 are positive."""
    start, index, value, label = [0], [], [], []
    lines = [line for path in paths for line in opened(path).decode().splitlines()]
    for head, *pairs in map(str.split, lines):
        label.append(float(head) > 0)
        for pair in pairs:
            column, _, number = pair.partition(":")
            index.append(int(column))
            value.append(float(number))
        start.append(len(index))
    rows = csr_matrix((value, index, start))
    rows.eliminate_zeros()
    return Dataset(name, rows, np.array(label, np.int64))


def agaricus(data: Path) -> Dataset:
    """Mushrooms, poisonous or not, 126 binary features."""
    folder = data / "agaricus"
    return from_svmlight("agaricus", folder / "agaricus.txt.train", folder / "agaricus.txt.test")


def adult(data: Path) -> Dataset:
    """Income above or below 50,000 dollars, 123 binary features."""
    return from_svmlight("a9a", data / "libsvm_adult" / "a9a")


def web(data: Path) -> Dataset:
    """Web pages of one category or not, 300 binary features, 3 % positive."""
    return from_svmlight("w8a", data / "libsvm_web" / "w8a")


def amazon(domain: str) -> Callable[[Path], Dataset]:
    """Reader of the product reviews of one domain, counts of 5,000 words and pairs."""

    def read(data: Path) -> Dataset:
        parts = [
            data / "amazon_reviews" / f"{domain}_{part}.svmlight" for part in ("train", "test")
        ]
        return replace(from_svmlight(f"amazon_{domain}", *parts), counts=True)

    return read


def sms_spam(data: Path) -> Dataset:
    """Short messages, spam or not; words and pairs of words."""
    text = (data / "sms_spam" / "SMSSpamCollection").read_text("utf-8")
    lines = [line.partition("\t") for line in text.splitlines() if line]
    bags = [words(message, 2) for _, _, message in lines]
    return from_counts("sms_spam", bags, [label for label, _, _ in lines])


def newsgroups(data: Path) -> Dataset:
    """Messages to 20 newsgroups, without their headers."""
    texts, labels = [], []
    with tarfile.open(data / "newsgroups20" / "20news-bydate.tar.xz") as archive:
        for member in archive:
            group = Path(member.name).parent.name
            content = archive.extractfile(member) if "." in group else None
            if content is not None and Path(member.name).name.isdigit():
                body = content.read().decode("latin-1").partition("\n\n")[2]
                texts.append(words(body))
                labels.append(group)
    return from_counts("20newsgroups", texts, labels)


def corpus(data: Path, name: str) -> zipfile.ZipFile:
    """An archive of texts."""
    return zipfile.ZipFile(data / "nltk_corpora" / f"{name}.zip")


def movie_reviews(data: Path) -> Dataset:
    """Film reviews of several hundred words, for or against."""
    with corpus(data, "movie_reviews") as archive:
        names = [name for name in archive.namelist() if name.endswith(".txt")]
        bags = [words(archive.read(name).decode()) for name in names]
    return from_counts("movie_reviews", bags, [Path(name).parent.name for name in names])


def two_files(name: str, first: str, second: str) -> Callable[[Path], Dataset]:
    """Reader of a set of one sentence a line, one file a class."""

    def read(data: Path) -> Dataset:
        with corpus(data, name) as archive:
            parts = [archive.read(f"{name}/{part}") for part in (first, second)]
        lines = [part.decode("latin-1").splitlines() for part in parts]
        bags = [words(line) for part in lines for line in part]
        return from_counts(name, bags, ["a"] * len(lines[0]) + ["b"] * len(lines[1]))

    return read


def questions(data: Path) -> Dataset:
    """Questions and the kind of answer they ask for, 6 classes; words and pairs of words."""
    with corpus(data, "qc") as archive:
        text = b"".join(archive.read(f"qc/{part}.txt") for part in ("train", "test"))
    lines = [line.partition(" ") for line in text.decode("latin-1").splitlines() if line]
    bags = [words(question, 2) for _, _, question in lines]
    return from_counts("qc", bags, [label.partition(":")[0] for label, _, _ in lines])


def rcv1(data: Path) -> Dataset:
    """Newswire stories of one category or not, rows of length 1."""
    lines = opened(data / "rcv1_vw" / "rcv1_small.dat").decode().splitlines()
    svmlight = [line.replace("|f", "").split() for line in lines]
    start, index, value = [0], [], []
    for _, *pairs in svmlight:
        row = dict(pair.split(":") for pair in pairs)
        for column in sorted(row, key=int):
            index.append(int(column))
            value.append(float(row[column]))
        start.append(len(index))
    label = np.array([float(head) > 0 for head, *_ in svmlight], np.int64)
    return Dataset("rcv1_small", csr_matrix((value, index, start)), label)


def svmguide3(data: Path) -> Dataset:
    """1,243 rows of 21 numbers."""
    with (data / "svmguide" / "svmguide3").open() as lines:
        table = np.array([[float(cell) for cell in row] for row in list(csv.reader(lines))[1:]])
    return Dataset("svmguide3", csr_matrix(table[:, 1:]), (table[:, 0] > 0).astype(np.int64))


#: How each set is read, by name.
READERS: dict[str, Callable[[Path], Dataset]] = {
    "a9a": adult,
    "w8a": web,
    "agaricus": agaricus,
    "sms_spam": sms_spam,
    "amazon_books": amazon("books"),
    "amazon_dvd": amazon("dvd"),
    "amazon_electronics": amazon("electronics"),
    "amazon_kitchen": amazon("kitchen"),
    "20newsgroups": newsgroups,
    "movie_reviews": movie_reviews,
    "sentence_polarity": two_files("sentence_polarity", "rt-polarity.neg", "rt-polarity.pos"),
    "subjectivity": two_files("subjectivity", "plot.tok.gt9.5000", "quote.tok.gt9.5000"),
    "qc": questions,
    "rcv1_small": rcv1,
    "svmguide3": svmguide3,
}
