"""The pages of the Python interface: the public names, by what they are for."""

from __future__ import annotations

from pathlib import Path

import thresher as th
from thresher.learners.registry import RECORDS

#: Pages, and the public names on them; the learners have one of their own.
PAGES = {
    "Models": ["Model", "train", "load", "race", "tune", "convert", "Scorecard", "Report"],
    "Streams": [
        "Batch",
        "Rows",
        "Stream",
        "read",
        "Recipe",
        "NGrams",
        "Pairs",
        "Conjunctions",
        "BadLinePolicy",
        "Hashed",
        "Vocabulary",
    ],
    "Evidence": ["certify", "verify", "Certificate", "Journal", "Rounds", "CalibratedRounds"],
}


#: Each learner has a page of its own, with its theorems.
LEARNERS = "Every learner has a page of its own: " + (
    ", ".join(f"[{record.title}](../learners/{record.title}.md)" for record in RECORDS)
    + ". What all of them have:\n"
)


def write(folder: Path) -> None:
    """Write the list and the pages."""
    folder.mkdir()
    pages = {"Learners": ["Learner"], **PAGES}
    for title, names in pages.items():
        parts = [f"# Python API: {title.lower()}\n"]
        if title == "Learners":
            parts.append(LEARNERS)
        for name in names:
            member = getattr(th, name)
            kind = "autoclass" if isinstance(member, type) else "autofunction"
            options = (
                "\n   :members:\n   :inherited-members:"
                if name in {"Learner", "Model", "Batch"}
                else ("\n   :members:" if kind == "autoclass" else "")
            )
            parts.append(
                f"## {name}\n\n```{{eval-rst}}\n.. {kind}:: thresher.{name}{options}\n```\n"
            )
        (folder / f"{title.lower()}.md").write_text("\n".join(parts), encoding="utf-8")
    entries = "\n".join(title.lower() for title in pages)
    listed = "\n".join(
        f"| [{title}]({title.lower()}.md) | {', '.join(f'`{name}`' for name in names)}"
        f"{' and the learners' if title == 'Learners' else ''} |"
        for title, names in pages.items()
    )
    text = (
        "# Python\n\n`import thresher as th`: these names are public, and stay what they are "
        "(`docs/upgrading.md`). The theorems are in [`thresher.theory`](../theorems/index.md).\n\n"
        "| page | names of `thresher` |\n|---|---|\n"
        f"{listed}\n\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n"
    )
    (folder / "index.md").write_text(text, encoding="utf-8")
