"""What hangs below what on the site. A page of the tree stands in exactly one place."""

from __future__ import annotations

from thresher.learners.registry import RECORDS

#: The chapters, and what the bar at the top calls them. It has room for nine; the others are
#: under "More".
CHAPTERS = {
    "start": "Start",
    "tutorials": "Tutorials",
    "how-to": "How-to",
    "learners": "Learners",
    "theorems/index": "Theorems",
    "commands/index": "Commands",
    "api/index": "Python API",
    "results": "Results",
    "service": "Service",
    "cluster": "Cluster",
    "formats": "Formats",
    "errata": "Errata",
    "decisions/index": "Decisions",
    "project": "Project",
}
#: Below each chapter; theorems, commands and the Python pages list their own.
BELOW = {
    "index": tuple(f"{title} <{page}>" for page, title in CHAPTERS.items()),
    "start": ("session", "choosing"),
    "tutorials": ("tutorial-spam", "first-model", "tutorial-lecture", "teaching"),
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
        "questions",
        "errors",
    ),
    "learners": (
        "committee",
        "finite-classes",
        "boosting",
        "adversaries",
        *(f"learners/{record.title}" for record in RECORDS),
    ),
    "theorems/index": ("../notation", "../certificates", "../audit", "../references"),
    "formats": ("model-files", "binary-format"),
    "cluster": ("scale",),
    "results": ("accuracy", "real-files", "performance"),
    "project": (
        "architecture",
        "reading-the-code",
        "contributing",
        "upgrading",
        "changelog",
    ),
}


def with_contents(page: str, text: str) -> str:
    """The text of a page with what hangs below it, for the bars of the site."""
    entries = "\n".join(BELOW.get(page, ()))
    return f"{text}\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n" if entries else text
