"""The documentation of the theorems, written from the theorems themselves.

``python -m thresher.theory.pages docs`` writes ``theorems.md`` and ``references.md`` into a
folder; a test compares the committed pages with what this module would write.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

from thresher.theory.listing import families
from thresher.theory.references import MENTIONED, REFERENCES
from thresher.theory.theorem import DIMENSION, Theorem

INTRODUCTION = """\
# Theorems

What each theorem says, what it needs, what is measured for it, and what it does not say. This
page is written from the docstrings by `python -m thresher.theory.pages docs`.

M is the number of mistakes, d the number of features, `ln` the natural and `log2` the binary
logarithm, x.y an inner product, sgn(0) = +1. Quantities are exact fractions; an irrational
bound is enclosed as closely as needed, so that the integer it allows is proven. The meaning of
a published theorem never changes; a corrected or sharper one gets a new name.
"""


def theorems_page() -> str:
    """The page ``theorems.md``."""
    parts = [INTRODUCTION]
    for title, theorems in families().items():
        parts.append(f"## {title}\n")
        parts.extend(section(theorem) for theorem in theorems)
    return "\n".join(parts)


def section(theorem: type[Theorem]) -> str:
    """One theorem: its line, its docstring without the examples, its quantities, its source."""
    lines = [f"### {theorem.name}\n", f"`{theorem.statement}`\n"]
    lines.append(f"*{theorem.kind.capitalize()}, about {about(theorem)}.*\n")
    lines.extend(_prose(theorem))
    lines.append("**What is measured.**\n")
    lines.extend(f"- `{name}`: {meaning}" for name, meaning in theorem.quantities().items())
    source = REFERENCES[theorem.reference]
    lines.append(f"\n**Reference.** [{theorem.reference}](references.md): {source}\n")
    return "\n".join(lines)


def about(theorem: type[Theorem]) -> str:
    """Whom the theorem is about: learners of this package, with what they need, and others."""
    about = ", ".join(f"`{name}`" for name in sorted(theorem.learners))
    if about and theorem.setting:
        about += f" ({theorem.setting})"
    absent = ", ".join(sorted(theorem.variants))
    if absent:
        about += f"{'; ' if about else ''}{absent}, not among the learners of this package"
    return about or ("linear separators" if theorem.kind == DIMENSION else "every learner")


def _prose(theorem: type[Theorem]) -> Iterator[str]:
    """The docstring up to its first example; formulas become code blocks by indentation."""
    text = inspect.cleandoc(theorem.__doc__ or "").split("\n>>> ")[0].rstrip()
    yield text + "\n"


def references_page() -> str:
    """The page ``references.md``."""
    used: dict[str, list[str]] = {key: [] for key in REFERENCES}
    for theorems in families().values():
        for theorem in theorems:
            used[theorem.reference].append(theorem.name)
    entries = [
        f"**{key}** {REFERENCES[key]}\nTheorems: {', '.join(names)}.\n"
        for key, names in used.items()
    ]
    also = [f"**{key}** {text}\n" for key, text in MENTIONED.items()]
    return "\n".join(["# References\n", *entries, "## Also mentioned\n", *also])


def write(folder: Path) -> None:
    """Write both pages."""
    (folder / "theorems.md").write_text(theorems_page(), encoding="utf-8")
    (folder / "references.md").write_text(references_page(), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
