"""The pages of the learners: one each, with its theorems, its commands and its runs in the lab."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

from scripts.site_lab import FILES, RUNS, view_of
from scripts.site_theorems import in_a_table
from thresher.learners.registry import RECORDS, Record
from thresher.theory.listing import catalogue
from thresher.theory.theorem import Theorem

ROOT = Path(__file__).parents[1]

#: Pages that say more than the learner's own, by the title of the learner.
MORE = {
    "Committee": ("committee", "accuracy"),
    "Conjunction": ("finite-classes",),
    "Elimination": ("finite-classes", "adversaries"),
    "Halving": ("finite-classes",),
    "NormalizedWinnow": ("boosting",),
    "OneVersusRest": ("multiclass",),
    "Perceptron": ("adversaries",),
    "RandomizedWeightedMajority": ("finite-classes", "boosting"),
    "SparseNetwork": ("multiclass",),
    "StandardOptimal": ("finite-classes",),
    "WeightedMajority": ("finite-classes",),
    "Winnow": ("adversaries", "boosting"),
}


def write(folder: Path) -> None:
    """Write a page for each learner."""
    folder.mkdir()
    for record in RECORDS:
        (folder / f"{record.title}.md").write_text(page(record), encoding="utf-8")


def theorems_of(title: str) -> list[type[Theorem]]:
    """The theorems that are about a learner."""
    return [theorem for theorem in catalogue() if title in theorem.learners]


def listed() -> str:
    """All learners as a table: what each is, and how many theorems speak of it."""
    rows = ["| learner | what it is | theorems |", "|---|---|---|"]
    for record in RECORDS:
        first = _summary(record).rstrip(".")
        many = len(theorems_of(record.title)) or "none"
        rows.append(f"| [{record.title}](learners/{record.title}.md) | {first} | {many} |")
    return "\n".join(rows) + "\n"


def page(record: Record) -> str:
    """One learner: what it is, what is proven of it, how to run it, and the class."""
    return "\n".join(
        [
            f"# {record.title}\n",
            f"{_summary(record)}\n",
            f"*{_kind(record)}. In Python `thresher.{record.title}`.*\n",
            "## What is proven\n",
            *_proven(record),
            "## Run it\n",
            *_commands(record),
            "## The algorithm\n",
            f"```{{eval-rst}}\n.. autoclass:: thresher.{record.title}\n   :members:\n```\n",
            "## More\n",
            *_more(record),
        ]
    )


def _summary(record: Record) -> str:
    text = inspect.cleandoc(record.load().__doc__ or "")
    return " ".join(text.partition("\n\n")[0].split()).replace("``", "`")


def _kind(record: Record) -> str:
    if record.several:
        return "For several classes"
    if record.needs == "concepts":
        return "For a finite class of concepts"
    return "Around another learner" if record.needs == "learner" else "For two classes"


def _proven(record: Record) -> Iterator[str]:
    found = theorems_of(record.title)
    if not found:
        yield (
            "No theorem of this package is about it: a run has no certificate with a mistake "
            "bound. What its mistakes say of rows to come is a theorem for every learner: "
            "[From mistakes to risk](../theorems/index.md#from-mistakes-to-risk).\n"
        )
        return
    yield "| theorem | it says | it needs |\n|---|---|---|"
    for theorem in found:
        formula = in_a_table(theorem.tex())
        needs = theorem.setting or "nothing of the learner"
        yield f"| [{theorem.name}](../theorems/{theorem.name}.md) | ${formula}$ | {needs} |"
    yield (
        "\n[`thresher certify`](../commands/certify.md) finds the one that allows the fewest "
        "mistakes in a run, and writes a [certificate](../certificates.md).\n"
    )


def _commands(record: Record) -> Iterator[str]:
    if record.name == "calibrated":
        yield "    thresher train FILE -o MODEL --learner perceptron --calibrate isotonic\n"
    elif record.name == "one_versus_rest":
        yield "    thresher train FILE -o MODEL --multiclass --learner arow\n"
    else:
        more = " --concepts disjunctions --features 5" if record.needs == "concepts" else ""
        yield f"    thresher train FILE -o MODEL --learner {record.name}{more}\n"
    yield (
        "[`train`](../commands/train.md) says what the options mean, "
        "[`race`](../commands/race.md) lets it run beside others, and "
        "[`inspect`](../commands/inspect.md) shows what it has learned.\n"
    )
    run = next((name for name, (_, how) in RUNS.items() if _is(how, record)), None)
    if run is not None:
        stream, how = RUNS[run]
        yield f"    thresher lab --view '{view_of('step', stream=stream, learner=how)}'\n"
        yield (
            "opens the lab at a run of it, round by round. "
            f'<a href="../lab-views/{run}.html">The same run, recorded</a>, needs no '
            "installation.\n"
        )
    elif (how := next((one for one in FILES.values() if _is(one, record)), "")) or not record.needs:
        view = view_of("data", key="given", learner=how or record.name)
        yield f"    thresher lab FILE --view '{view}'\n"
        yield "shows it on a file of yours, in the browser ([the lab](../lab.md)).\n"


def _is(how: str, record: Record) -> bool:
    return how.partition(":")[0] == record.name


def _more(record: Record) -> Iterator[str]:
    name = f"{record.title}Classifier"
    for door, page in (("sklearn", "scikit-learn"), ("river", "river")):
        # The stub, for the package itself needs scikit-learn or River.
        stub = (ROOT / "src" / "thresher" / door / "__init__.pyi").read_text("utf-8")
        if f"class {name}(" in stub:
            yield f"* `thresher.{door}.{name}`: `docs/{page}.md`"
    for page in MORE.get(record.title, ()):
        yield f"* `docs/{page}.md`"
    yield "* `docs/learners.md`: feeding them, what is refused, what all of them share"
    yield "* `docs/choosing.md`\n"
