"""A model as text: one feature a line, the heaviest first."""

from __future__ import annotations

from thresher.models.linear_form import form_of
from thresher.models.model import Model


def to_text(model: Model, top: int | None = None) -> str:
    r"""Name, tab, weight, one feature a line; what holds for all of them in lines with #.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.Perceptron()
    >>> _ = learner.learn([{"free": 1, "cash": 2}, {"meeting": 1}], [+1, -1])
    >>> print(to_text(Model(learner=learner)).replace("\t", " "), end="")
    # perceptron: 1 mistakes in 2 rounds
    # +1 if the sum of weight times value is at least 0.0, otherwise -1
    meeting -1.0
    """
    form = form_of(model.learner)
    learner = model.learner
    negative, positive = model.label_names
    columns = form.touched()
    shown = columns[:top].tolist()
    lines = [
        f"# {learner.name}: {learner.mistakes} mistakes in {learner.n_rounds} rounds",
        f"# {positive} if the sum of weight times value is at least {form.threshold!r}, "
        f"otherwise {negative}",
    ]
    if form.constant:
        lines.append(f"# every row has {form.constant / form.divisor!r} to begin with")
    if form.default:
        lines.append(f"# features that are not listed weigh {form.default / form.divisor!r}")
    if len(shown) < len(columns):
        lines.append(f"# the {len(shown)} heaviest of {len(columns)} features")
    for column in shown:
        name = " | ".join(escaped(name) for name in model.names_of(column))
        lines.append(f"{name}\t{float(form.weights[column]) / form.divisor!r}")
    return "\n".join(lines) + "\n"


def escaped(name: str) -> str:
    r"""The name on one line, whatever is in it.

    >>> escaped("a\tb"), escaped("né"), escaped("a\\b")
    ('a\\tb', 'né', 'a\\\\b')
    """
    if name.isprintable() and "\\" not in name:
        return name
    return "".join(
        c if c.isprintable() and c != "\\" else c.encode("unicode_escape").decode() for c in name
    )
