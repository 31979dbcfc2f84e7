"""A model as an ES module for browsers and JavaScript engines; it needs nothing else.

Doubles are added up in the model's own order, and single precision is rounded to (Math.fround)
where the model does, so that the scores are the model's to the bit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import numpy as np

from thresher.export.feature_names import FeatureNames, feature_names
from thresher.export.js_names import (
    COLUMNS,
    HASHED,
    HASHED_PAIR,
    LISTED,
    LISTED_PAIR,
    NAMELESS,
    NO_PAIRS,
    NUMBERS,
    PAIRS,
    ROW,
    TEXT,
)
from thresher.export.js_scores import (
    COMMITTEE,
    LINEAR,
    PREDICTING,
    PROBABILITIES_OF_SEVERAL,
    PROBABILITIES_OF_TWO,
    SCALED,
    SEVERAL,
    SHARES,
    TWO,
    VIEWS,
)
from thresher.export.probabilities import as_document, maps_of
from thresher.export.scorer import CommitteeScorer, LinearScorer, scorer_of
from thresher.export.templates import doubles, filled, in_lines, singles
from thresher.kernels.engines.feature_memory import UNSEEN
from thresher.kernels.scanning.crossing import JOINT, MOST_PAIRS
from thresher.learners.base.probability_map import HIGHEST_ODDS, LOWEST_ODDS, ProbabilityMap
from thresher.learners.two_class import committee_form as committee
from thresher.learners.two_class.standard_columns import FARTHEST, FIRST_HAT, HATS, LEAST
from thresher.models.model import Model


def to_js(model: Model, top: int | None = None) -> str:
    """A module that exports `labels`, `predict`, `scores`, and for two classes `score`.

    Where the model knows probabilities it also exports `probabilities`, in the order of `labels`.

    A row is an object from names to values, a Map, or any pairs; a key that is a number is a
    column. Where the model was trained on texts, a string is a text, and `features` tells
    what is cut out of it.

    Parameters
    ----------
    model
        A model that is linear in its features, or a Committee; of two classes or of several.
    top
        Keep only so many weights, the heaviest.
    """
    scorer, names = scorer_of(model, top), feature_names(model)
    learner = model.learner
    lines = [
        f"// {learner.plain_name}: {learner.mistakes} mistakes in {learner.n_rounds} rounds.",
        f"// SHA-256 of the model file: {model.digest or 'it was not saved'}",
        "// Written by thresher.",
        f"export const labels = [{', '.join(map(quoted, scorer.labels))}];",
        f"const SIZES = [{', '.join(map(str, scorer.sizes))}];",
    ]
    scoring = _committee(scorer) if isinstance(scorer, CommitteeScorer) else _linear(scorer)
    parts = [
        "\n".join(lines),
        scoring,
        _names(names, model),
        filled(SEVERAL if scorer.several else TWO, threshold=repr(scorer.threshold)),
        PREDICTING,
        *_probabilities(maps_of(model), scorer),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def quoted(name: str) -> str:
    """The name as a string of JavaScript, also inside a page.

    >>> print(quoted("a</script>\\n\\u2028"))
    "a\\u003c/script>\\n\\u2028"
    """
    return json.dumps(name).replace("<", "\\u003c")


def _array(kind: str, name: str, digits: Iterable[str]) -> str:
    return f"const {name} = new {kind}Array([\n    {in_lines(digits, 8)}\n]);"


def _linear(scorer: LinearScorer) -> str:
    columns = np.sort(scorer.columns)
    tables = [
        _array("Int32", "COLUMNS", map(str, columns.tolist())),
        _array("Float64", "WEIGHTS", doubles(scorer.weights(columns).ravel())),
    ]
    if scorer.scaling == "online":
        tables.append(_array("Float64", "LARGEST", doubles(scorer.largest(columns).ravel())))
    for name in ("constant", "divisor", "minus", "default"):
        numbers = doubles(getattr(form, name) for form in scorer.forms)
        tables.append(f"const {name.upper()} = [{', '.join(numbers)}];")
    before, step = SCALED[scorer.scaling]
    code = LINEAR.replace("@before@", before).replace("@step@", step)
    return "\n".join([*tables, code])


def _committee(scorer: CommitteeScorer) -> str:
    forms = scorer.forms
    members, lanes = forms[0].members, len(forms[0].bias)
    tables = [
        _array("Int32", "COLUMNS", map(str, scorer.columns.tolist())),
        _array("Float32", "WEIGHTS", singles(scorer.lines("weights", 0.0).ravel())),
        _array("Float64", "SHRINK", doubles(scorer.lines("shrink", UNSEEN).ravel())),
        _array("Float32", "BIAS", singles(np.concatenate([form.bias for form in forms]))),
        f"const ROUNDS = [{', '.join(doubles(form.rounds for form in forms))}];",
    ]
    for name in ("square", "slope", "share", "prior", "belief"):
        each = np.concatenate([getattr(form, name) for form in forms])
        tables.append(_array("Float64", name.upper(), doubles(each)))
    kinds = json.dumps([member.rows for member in members[lanes:]])
    tables.append(f"const KINDS = {kinds};\nconst SEATS = [")
    tables += [_seats(form) for form in forms]
    tables.append("];")
    seen = ",\n            ".join(VIEWS[member.rows] for member in members[:lanes])
    code = filled(
        COMMITTEE,
        members=len(members),
        lanes=lanes,
        seen=seen,
        least=repr(LEAST),
        farthest=repr(FARTHEST),
        hats=str(HATS),
        first_hat=repr(FIRST_HAT),
        unseen=repr(UNSEEN),
        far=repr(committee.FAR),
        sure=repr(committee.SURE),
        level=repr(committee.LEVEL),
        terms=in_lines(doubles(committee.TERMS), 4),
        per_ln2=repr(committee.PER_LN2),
        ln2=repr(committee.LN2),
        rest=repr(committee.REST),
        shifter=repr(committee.SHIFTER),
    )
    return "\n".join([*tables, code])


def _probabilities(
    maps: tuple[ProbabilityMap, ...], scorer: LinearScorer | CommitteeScorer
) -> list[str]:
    if not maps:
        return []
    found = [as_document(one) for one in maps]
    kind = found[0]["kind"]
    gaps: dict[str, str] = {"lowest": repr(LOWEST_ODDS), "highest": repr(HIGHEST_ODDS)}
    if kind == "steps":
        for name in ("edges", "shares"):
            gaps[name] = ",\n    ".join(f"[{in_lines(doubles(one[name]), 4)}]" for one in found)
    elif kind == "curve":
        gaps["curves"] = ", ".join(f"[{one['slope']!r}, {one['intercept']!r}]" for one in found)
    whole = PROBABILITIES_OF_SEVERAL if scorer.several else PROBABILITIES_OF_TWO
    return [filled(SHARES[kind], **gaps), filled(whole, threshold=repr(scorer.threshold))]


def _seats(form: committee.CommitteeForm) -> str:
    """The members of a committee that see standardised columns, as an object."""
    known = form.standard
    lists = {"mean": known.mean, "squares": known.squares}
    parts = [f"slots: [{in_lines(map(str, known.columns.tolist()), 12)}]", f"rows: {known.rows!r}"]
    parts += [f"{name}: [{in_lines(doubles(values), 8)}]" for name, values in lists.items()]
    seats = ",\n    ".join(f"[{in_lines(doubles(seat), 8)}]" for seat in form.seats)
    return "  { " + ",\n    ".join([*parts, f"seats: [{seats}]"]) + " },"


def _names(names: FeatureNames, model: Model) -> str:
    """From names to columns, from a row to columns and values, from a text to a row."""
    unsure = "false"
    if names.vocabulary is None:
        numbers = NUMBERS if names.numbers else ""
        find = filled(
            HASHED.replace("@numbers@", numbers),
            seed=names.seed,
            columns=model.name_table.n_features,
        )
        unsure = "true" if model.recipe.format is None else unsure
    elif names.vocabulary:
        pairs = (f"[{quoted(name)}, {column}]" for name, column in names.vocabulary.items())
        find = filled(LISTED, pairs=in_lines(pairs, 4))
        unsure = "column < 0" if model.recipe.format is None else unsure
    else:
        find = NAMELESS
    parts = [COLUMNS, find]
    if names.text is not None:
        shortest, longest, first, last, window = names.text
        parts.append(
            filled(
                TEXT,
                shortest=shortest,
                longest=longest,
                first=first,
                last=last,
                window=window,
                times="(row.get(name) ?? 0) + 1" if names.counts else "1",
            )
        )
    parts.append(_pairs(names, model.name_table.n_features))
    parts.append(
        filled(
            ROW,
            text="features(row)" if names.text is not None else "NOT_A_ROW()",
            unsure=unsure,
            strongest="true" if names.strongest else "false",
        )
    )
    return "\n\n".join(part.strip("\n") for part in parts)


def _pairs(names: FeatureNames, n_features: int) -> str:
    if names.groups is None:
        return NO_PAIRS
    groups = (f"[{quoted(one)}, {quoted(other)}]" for one, other in names.groups)
    return filled(
        PAIRS,
        groups=", ".join(groups),
        joint=quoted(JOINT),
        # Columns alone have all pairs, in hashed columns.
        columns="true" if names.hashed and not names.groups else "false",
        column=filled(HASHED_PAIR, size=n_features) if names.hashed else LISTED_PAIR,
        most=MOST_PAIRS,
    )
