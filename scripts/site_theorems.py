"""The pages of the theorems: one each, and the list of all, written from the classes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from scripts.site_lab import lab_section
from thresher.theory.listing import families
from thresher.theory.prose import with_tex
from thresher.theory.references import MENTIONED, REFERENCES
from thresher.theory.tex import in_tex
from thresher.theory.theorem import DIMENSION, EXPECTED, LOWER, RISK, UPPER, Theorem

HEAD = """\
# Theorems

A mistake bound says: if some fixed rule fits the stream, then a learner that has never heard of
the rule errs at most so many times, however long the stream is. Here is what each theorem says,
what it needs, why it is true, how tight it is, and what it does not say. If all of this is new to
you, begin with [the lecture](../tutorial-lecture.md); what the letters mean is in
[Notation](../notation.md).

Quantities are exact fractions; an irrational bound is enclosed as closely as needed, so that the
integer it allows is proven. The meaning of a published theorem never changes; a corrected or
sharper one gets a new name. In Python they are the classes of `thresher.theory`:

```python
>>> import thresher as th
>>> th.theory.WinnowDisjunction(n_features=1000, relevant=4).max_mistakes()
112

```

Which of them suits your data: [Which learner when](../choosing.md). How a run becomes a claim that
others can check: [Certificates](../certificates.md).
"""
#: What a bound of each kind is, for who reads one for the first time.
KINDS = {
    UPPER: "An upper bound: where its hypotheses hold, no stream makes the learner err more often",
    LOWER: "A lower bound: against every learner there is a stream that forces so many mistakes",
    EXPECTED: "A bound on an average, over the coins that the learner throws",
    RISK: "A bound on risk: what counted mistakes say of rows to come, if they are drawn alike",
    DIMENSION: "A bound on a dimension: how many points can be labelled in every way",
}
#: The parts of a docstring that have a heading on the page, as both write them.
PARTS = ("Hypotheses", "Proof idea", "How tight", "What it does not say")


def write(folder: Path) -> None:
    """Write the list, a page for each theorem, and the sources next to the folder."""
    folder.mkdir()
    names = {theorem.name for theorems in families().values() for theorem in theorems}
    parts = [HEAD]
    for title, theorems in families().items():
        parts.append(f"## {title}\n\n| theorem | statement |\n|---|---|")
        for theorem in theorems:
            formula = in_a_table(theorem.tex())
            parts.append(f"| [{theorem.name}]({theorem.name}.md) | ${formula}$ |")
            (folder / f"{theorem.name}.md").write_text(page(theorem, names), encoding="utf-8")
        entries = "\n".join(theorem.name for theorem in theorems)
        parts.append(f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{entries}\n```\n")
    (folder / "index.md").write_text("\n".join(parts), encoding="utf-8")
    (folder.parent / "references.md").write_text(references(), encoding="utf-8")


def page(theorem: type[Theorem], names: set[str]) -> str:
    """One theorem: its statement, the parts of its docstring, its quantities, its source."""
    text = inspect.cleandoc(theorem.__doc__ or "")
    prose, *examples = re.split(r"\n(?=>>> )", text, maxsplit=1)
    summary, *rest = _paragraphs(prose)
    body = "\n".join(_linked(paragraph, names) for paragraph in rest)
    for part in PARTS:
        body = body.replace(f"**{part}.** ", f"## {part}\n\n")
    lines = [
        f"# {theorem.name}\n",
        summary,
        f"{KINDS[theorem.kind]}. It is about {about(theorem)}.\n",
    ]
    # Most docstrings display the statement themselves, in its sentence.
    if theorem.tex() not in body:
        lines.append(f"$$\n{theorem.tex()}\n$$\n")
    lines += ["## Statement\n", body, "## What is measured\n\n| quantity | meaning |\n|---|---|"]
    for name, meaning in theorem.quantities().items():
        lines.append(f"| `{name}` | {with_tex(meaning).replace('|', chr(92) + '|')} |")
    lines.append(
        "\nWhat other letters mean: [Notation](../notation.md). "
        "[`thresher certify`](../commands/certify.md) measures these in a run, "
        "[`thresher verify`](../commands/verify.md) checks them.\n"
        if theorem.learners
        else "\nWhat other letters mean: [Notation](../notation.md).\n"
    )
    for example in examples:
        imported = f">>> from thresher.theory import {theorem.name}"
        lines.append(f"\n## Example\n\n```python\n{imported}\n{example}\n\n```")
    lines.append(f"\n## Open in the lab\n\n{lab_section(theorem)}")
    lines.append(f"\n## Reference\n\n{REFERENCES[theorem.reference]}\n")
    lines.append("All sources are in [References](../references.md).\n")
    return "\n".join(lines)


def in_a_table(formula: str) -> str:
    """A formula without bars, which would end the cell of a table.

    >>> print(in_a_table(r"D(u\\|w) + |u|"))
    D(u\\Vert w) + \\vert u\\vert
    """
    return formula.replace(r"\|", r"\Vert ").replace("|", r"\vert ").rstrip()


def about(theorem: type[Theorem]) -> str:
    """Whom the theorem is about: learners of this package, with what they need, and others."""
    learners = sorted(theorem.learners)
    about = ", ".join(f"[{name}](../learners/{name}.md)" for name in learners)
    if about and theorem.setting:
        about += f" ({theorem.setting})"
    absent = ", ".join(sorted(theorem.variants))
    if absent:
        about += f"{'; ' if about else ''}{absent}, not among the learners of this package"
    return about or ("linear separators" if theorem.kind == DIMENSION else "every learner")


def references() -> str:
    """The sources, each with its theorems."""
    used: dict[str, list[str]] = {key: [] for key in REFERENCES}
    for theorems in families().values():
        for theorem in theorems:
            used[theorem.reference].append(f"[{theorem.name}](theorems/{theorem.name}.md)")
    entries = [f"{REFERENCES[key]} Theorems: {', '.join(names)}.\n" for key, names in used.items()]
    also = [f"{text}\n" for text in MENTIONED.values()]
    return "\n".join(["# References\n", *entries, "## Also mentioned\n", *also])


def _paragraphs(text: str) -> Iterator[str]:
    """The docstring with its formulas in TeX; an indented block is a display."""
    for block in text.split("\n\n"):
        if not block.startswith("    "):
            yield with_tex(block) + "\n"
            continue
        rows = [in_tex(line) for line in block.splitlines()]
        body = (
            rows[0]
            if len(rows) == 1
            else "\\begin{gathered}\n" + " \\\\\n".join(rows) + "\n\\end{gathered}"
        )
        yield f"$$\n{body}\n$$\n"


def _linked(text: str, names: set[str]) -> str:
    """Names of theorems as links."""
    return re.sub(r"`(\w+)`", lambda m: f"[{m[1]}]({m[1]}.md)" if m[1] in names else m[0], text)
