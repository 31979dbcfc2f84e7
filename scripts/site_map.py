"""What hangs below what on the site. A page of the tree stands in exactly one place."""

from __future__ import annotations

#: The chapters, as the bar at the top has them.
CHAPTERS = (
    "start",
    "tutorials",
    "how-to",
    "learners",
    "theorems/index",
    "commands/index",
    "api/index",
    "formats",
    "service",
    "cluster",
    "performance",
    "project",
)
#: Below each chapter; theorems, commands and the Python pages list their own.
BELOW = {
    "index": CHAPTERS,
    "start": ("session", "choosing"),
    "tutorials": ("tutorial-spam", "first-model", "tutorial-lecture"),
    "how-to": (
        "reading",
        "vw-and-text",
        "tables",
        "interactions",
        "race-and-advise",
        "multiclass",
        "explanations",
        "exports",
        "reports",
        "lab",
        "models",
        "scikit-learn",
        "river",
        "configuration",
    ),
    "learners": ("committee", "finite-classes", "boosting", "adversaries"),
    "theorems/index": ("../certificates", "../audit", "../errata", "../references"),
    "formats": ("model-files", "binary-format"),
    "cluster": ("scale",),
    "performance": ("accuracy", "real-files"),
    "project": (
        "architecture",
        "reading-the-code",
        "contributing",
        "upgrading",
        "changelog",
        "decisions/index",
    ),
}


def with_contents(page: str, text: str) -> str:
    """The text of a page with what hangs below it, for the bars of the site."""
    entries = "\n".join(BELOW.get(page, ()))
    return f"{text}\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n" if entries else text
