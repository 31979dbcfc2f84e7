"""The pages of the theorems: one each, and the list of all, written from the classes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from thresher.theory.listing import families
from thresher.theory.pages import about
from thresher.theory.prose import with_tex
from thresher.theory.references import REFERENCES
from thresher.theory.tex import in_tex
from thresher.theory.theorem import Theorem

HEAD = """\
# Theorems

What each theorem says, what it needs, why it is true, how tight it is, and what it does not say.

$M$ is the number of mistakes, $d$ the number of features, $x \\cdot y$ an inner product, and
$\\operatorname{sgn}(0) = +1$. Quantities are exact fractions; an irrational bound is enclosed as
closely as needed, so that the integer it allows is proven. The meaning of a published theorem
never changes; a corrected or sharper one gets a new name. In Python they are the classes of
`thresher.theory`:

```python
>>> import thresher as th
>>> th.theory.WinnowDisjunction(n_features=1000, relevant=4).max_mistakes()
112

```
"""


def write(folder: Path) -> None:
    """Write the list and a page for each theorem."""
    folder.mkdir()
    names = {theorem.name for theorems in families().values() for theorem in theorems}
    parts = [HEAD]
    for title, theorems in families().items():
        parts.append(f"## {title}\n\n| theorem | statement |\n|---|---|")
        for theorem in theorems:
            formula = theorem.tex().replace("|", r"\vert ")
            parts.append(f"| [{theorem.name}]({theorem.name}.md) | ${formula}$ |")
            (folder / f"{theorem.name}.md").write_text(page(theorem, names), encoding="utf-8")
        entries = "\n".join(theorem.name for theorem in theorems)
        parts.append(f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{entries}\n```\n")
    (folder / "index.md").write_text("\n".join(parts), encoding="utf-8")


def page(theorem: type[Theorem], names: set[str]) -> str:
    """One theorem: its statement, its docstring, its quantities, its source."""
    prose, *examples = re.split(r"\n(?=>>> )", inspect.cleandoc(theorem.__doc__ or ""), maxsplit=1)
    lines = [f"# {theorem.name}\n", f"$$\n{theorem.tex()}\n$$\n"]
    lines.append(f"*{theorem.kind.capitalize()}, about {about(theorem)}.*\n")
    lines.extend(_linked(paragraph, names) for paragraph in _paragraphs(prose))
    lines.append("## What is measured\n\n| quantity | meaning |\n|---|---|")
    for name, meaning in theorem.quantities().items():
        lines.append(f"| `{name}` | {with_tex(meaning).replace('|', chr(92) + '|')} |")
    for example in examples:
        imported = f">>> from thresher.theory import {theorem.name}"
        lines.append(f"\n## Example\n\n```python\n{imported}\n{example}\n\n```")
    lines.append(f"\n## Reference\n\n{REFERENCES[theorem.reference]}\n")
    lines.append("All sources are in [References](../references.md).\n")
    return "\n".join(lines)


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
