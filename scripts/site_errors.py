"""The page of errors: every kind by its code, and what the command line says to do."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from thresher import errors
from thresher.cli.remedies import REMEDIES
from thresher.errors import ThresherError

HEAD = """\
# Errors, by their codes

An error says what is wrong, where, what was found and what to do. Commands print it in one line on
standard error and leave with status 2; `--debug` shows the traceback. In Python it is a
`ThresherError` with `code`, `fields` and `remedy`; the service names the code in what it answers.
Codes stay the same when messages change, so programs should look at them. What to do about the
usual ones is in `docs/questions.md`.

```python
>>> import thresher as th
>>> try:
...     th.Winnow(n_features=4).learn([[0, 2, 0, 0]], [1])
... except th.errors.ThresherError as error:
...     print(error.code, error.fields["row"])
domain 0

```
"""
#: What the modules of `thresher.errors` are about, in the order in which people meet them.
PARTS = {
    "streams": "Files and formats",
    "rows": "Rows, values and labels",
    "learners": "Learners and their parameters",
    "models": "Models and exports",
    "evidence": "Certificates, theorems and audits",
    "concepts": "Finite classes",
    "service": "The service and its store",
    "cluster": "Clusters",
}


def page() -> str:
    """Every kind of error, and the remedies of the command line."""
    parts = [HEAD]
    for module, title in PARTS.items():
        parts.append(f"## {title}\n\n| code | class | what it is |\n|---|---|---|")
        parts.extend(_kinds(module))
        parts.append("")
    parts.append("## What the command line says to do\n")
    parts.append("Cases that have a remedy of their own; a code begins with that of its kind.\n")
    parts.append("| code | what to do |\n|---|---|")
    parts.extend(f"| `{code}` | {_marked(text)} |" for code, text in sorted(plain().items()))
    return "\n".join(parts) + "\n"


def plain() -> dict[str, str]:
    """The remedies that are the same whatever the case."""
    return {code: text for code, text in REMEDIES.items() if isinstance(text, str)}


def of(module: str) -> list[type[ThresherError]]:
    """The kinds that a module of `thresher.errors` defines, in its order."""
    source = inspect.getsource(getattr(errors, module))
    names = re.findall(r"^class (\w+)\(", source, re.M)
    found = [getattr(errors, name) for name in names if name in errors.__all__]
    return [kind for kind in found if issubclass(kind, ThresherError)]


def _kinds(module: str) -> Iterator[str]:
    for kind in of(module):
        said = inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[0]
        yield f"| `{kind.code}` | `{kind.__name__}` | {_marked(' '.join(said.split()))} |"


def _marked(text: str) -> str:
    return text.replace("``", "`").replace("|", "\\|").replace("<", "\\<")
