"""A model as text: one feature a line, the heaviest first."""

from __future__ import annotations

from thresher.export.scorer import LinearScorer, linear_scorer
from thresher.models.model import Model


def to_text(model: Model, top: int | None = None) -> str:
    r"""Name and weight of each feature, a tab between them; what holds for all in lines with #.

    With several classes there is a weight for each, and a line that names the classes.

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
    scorer, learner = linear_scorer(model), model.learner
    lines = [f"# {learner.plain_name}: {learner.mistakes} mistakes in {learner.n_rounds} rounds"]
    lines += _rule(scorer)
    if scorer.scaling == "online":
        lines.append("# each value is first divided by the largest of its feature so far")
    elif scorer.scaling is not None:
        lines.append(f"# each row is first divided by its {_LENGTHS[scorer.scaling]}")
    lines += _constants(scorer)
    shown = scorer.columns[:top]
    if len(shown) < len(scorer.columns):
        lines.append(f"# the {len(shown)} heaviest of {len(scorer.columns)} features")
    divisors = [form.divisor for form in scorer.forms]
    for column, weights in zip(shown.tolist(), scorer.weights(shown).tolist(), strict=True):
        name = " | ".join(escaped(name) for name in model.names_of(column))
        each = (repr(w / divisor) for w, divisor in zip(weights, divisors, strict=True))
        lines.append("\t".join([name, *each]))
    return "\n".join(lines) + "\n"


_LENGTHS = {
    "l2": "length",
    "l1": "sum of absolute values",
    "max": "largest absolute value",
}


def _rule(scorer: LinearScorer) -> list[str]:
    if not scorer.several:
        negative, positive = map(escaped, scorer.labels)
        return [
            f"# {positive} if the sum of weight times value is at least {scorer.threshold!r}, "
            f"otherwise {negative}"
        ]
    return [
        "# the class with the largest sum of weight times value, the first of several",
        "\t".join(["# classes:", *map(escaped, scorer.labels)]),
    ]


def _constants(scorer: LinearScorer) -> list[str]:
    """What every row has, and what features weigh that are not listed, unless it is nothing."""
    lines = []
    for words, each in (
        ("every row has", [form.constant / form.divisor - form.minus for form in scorer.forms]),
        ("features not listed weigh", [form.default / form.divisor for form in scorer.forms]),
    ):
        if any(each):
            lines.append("\t".join([f"# {words}", *map(repr, each)]))
    return lines


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
