"""Twin of `cluster/committee_mixing.py`: committees by the names of their columns, in plain floats.

A committee is a `Plain`: numbers in dicts, by column, None for the constant. The rules are written
out number by number; what a shard never met is what it starts with.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tests.reference.seats import KINDS, MOST, logarithm

LANES = 8
STARTS = {"arow": 1.0, "adagrad": 1e-20, "means": 1.0}
HATS = 8
Pair = tuple[float, float]
Matrix = list[list[float]]


class Plain(NamedTuple):
    """A committee: `seats` has for each member in one a dict from what it weighs to two numbers."""

    columns: list[int]
    line: dict[int | None, list[float]]
    shrink: dict[int, float]
    narrow: bool
    rows: float
    mean: dict[int, float]
    squares: dict[int, float]
    totals: list[float]
    parts: dict[str, Any]
    seats: list[tuple[dict[Any, float], dict[Any, float]]]


PARTS = (
    "square", "slope", "curvature", "share", "spread", "prior", "belief", "likelihood", "places",
    "mistakes",
)  # fmt: skip


def keys_of(kind: int, slots: Sequence[int | None]) -> tuple[list[Any], list[Any]]:
    """What the weights and the second numbers of a seat belong to, in the order they are kept."""
    pairs = [frozenset((a, b)) for j, a in enumerate(slots) for b in slots[: j + 1]]
    match KINDS[kind]:
        case ("means", _):
            return list(slots), [(c, slot) for c in range(2) for slot in slots]
        case ("arow", "pairs"):
            return pairs, pairs
        case ("matrix", _):
            return list(slots), pairs
        case ("arow", "hats"):
            hats = [(slot, hat) for slot in slots for hat in range(HATS)]
            return hats, hats
    return list(slots), list(slots)


def plain(shared: Any, place: int = 0) -> Plain:
    """What a committee shares, as a `Plain`."""
    _, _, column, shrink, (count, rows), mean, squares, lines = shared.features
    other = shared.own[place][0]
    columns = column.tolist()
    width = 2 * LANES
    line: dict[int | None, list[float]] = {
        name: own[width * place : width * (place + 1)]
        for name, own in zip(columns, lines.tolist(), strict=True)
    }
    line[None] = other[1].tolist()
    seats, slots = [], [None, *columns[: len(mean)]]
    kinds = [KINDS.index(m[::2]) for m in shared.members if m[::2] in KINDS]
    for kind, weight, second in zip(kinds, other[12::2], other[13::2], strict=False):
        of_weight, of_second = keys_of(kind, slots)
        seats.append(
            (
                dict(zip(of_weight, weight.tolist(), strict=True)),
                dict(zip(of_second, second.tolist(), strict=True)),
            )
        )
    return Plain(
        columns,
        line,
        dict(zip(columns, shrink.tolist(), strict=True)),
        bool(count),
        float(rows),
        dict(zip(columns, mean.tolist(), strict=False)),
        dict(zip(columns, squares.tolist(), strict=False)),
        other[0].tolist(),
        {name: part.tolist() for name, part in zip(PARTS, other[2:12], strict=True)},
        seats,
    )


# ---- numbers -----------------------------------------------------------------------------------


def arow(w0: float, s0: float, shards: Sequence[Pair]) -> Pair:
    p0 = 1.0 / max(s0, 1e-300)
    moved, new = 0.0, p0
    for w, s in shards:
        p = 1.0 / max(s, 1e-300)
        moved += p * (w - w0)
        new += p - p0
    return w0 + moved / (new + (math.sqrt(len(shards)) - 1.0) * p0), 1.0 / new


def adagrad(w0: float, s0: float, shards: Sequence[Pair]) -> Pair:
    moved = gained = 0.0
    for w, s in shards:
        moved += (s - s0) * (w - w0)
        gained += s - s0
    return w0 + (moved / gained if gained > 0.0 else 0.0), s0 + gained


def means(w0: float, s0: float, shards: Sequence[Pair]) -> Pair:
    moved, whole = 0.0, s0
    for w, s in shards:
        moved += s * (w - w0)
        whole += s - s0
    return w0 + (moved / whole if whole > 0.0 else 0.0), whole


RULES: dict[str, Callable[[float, float, Sequence[Pair]], Pair]] = {
    "arow": arow,
    "adagrad": adagrad,
    "means": means,
}


def added(before: float, after: Iterable[float]) -> float:
    total = before
    for own in after:
        total += own - before
    return total


def inverse(matrix: Matrix) -> Matrix:
    n = len(matrix)
    left = [list(row) for row in matrix]
    right = [[float(i == j) for j in range(n)] for i in range(n)]
    for k in range(n):
        pivot = left[k][k]
        assert pivot > 0.0
        for table in (left, right):
            table[k] = [x / pivot for x in table[k]]
        factors = [left[i][k] for i in range(n)]
        for i in range(n):
            if i != k:
                left[i] = [x - factors[i] * y for x, y in zip(left[i], left[k], strict=True)]
                right[i] = [x - factors[i] * y for x, y in zip(right[i], right[k], strict=True)]
    return [[0.5 * (right[i][j] + right[j][i]) for j in range(n)] for i in range(n)]


def times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    found = []
    for row in matrix:
        total = row[0] * vector[0]
        for x, y in zip(row[1:], vector[1:], strict=True):
            total += x * y
        found.append(total)
    return found


def by_matrices(
    mean: list[float], spread: Matrix, shards: Sequence[tuple[list[float], Matrix]]
) -> tuple[list[float], Matrix]:
    n, known = len(mean), inverse(spread)
    moved, precision = [0.0] * n, [list(row) for row in known]
    for own, other in shards:
        sure = inverse(other)
        step = times(sure, [a - b for a, b in zip(own, mean, strict=True)])
        moved = [a + b for a, b in zip(moved, step, strict=True)]
        for i in range(n):
            for j in range(n):
                precision[i][j] += sure[i][j] - known[i][j]
    root = math.sqrt(len(shards)) - 1.0
    total = [[precision[i][j] + root * known[i][j] for j in range(n)] for i in range(n)]
    step = times(inverse(total), moved)
    return [a + b for a, b in zip(mean, step, strict=True)], inverse(precision)


# ---- a committee -------------------------------------------------------------------------------


def mixed(members: Sequence[Any], before: Plain, shards: Sequence[Plain]) -> Plain:
    """What shards come to."""
    columns = list(dict.fromkeys([*before.columns, *(c for own in shards for c in own.columns)]))
    rules = [member.rule for member in members if member[::2] not in KINDS]
    kinds = [KINDS.index(member[::2]) for member in members if member[::2] in KINDS]
    fresh = [0.0] * LANES + [float(np.float32(STARTS[rule])) for rule in rules]
    fresh += [1.0] * (2 * LANES - len(fresh))
    line: dict[int | None, list[float]] = {}
    for column in (*columns, None):
        old = before.line.get(column, fresh)
        now = [own.line.get(column, old) for own in shards]
        line[column] = list(old)
        for lane, rule in enumerate(rules):
            pairs = [(own[lane], own[LANES + lane]) for own in now]
            w, s = RULES[rule](old[lane], old[LANES + lane], pairs)
            line[column][lane], line[column][LANES + lane] = (
                float(np.float32(w)),
                float(np.float32(s)),
            )
    shrink = {
        c: min(own.shrink[c] for own in (before, *shards) if c in own.shrink) for c in columns
    }
    narrow = all(own.narrow for own in (before, *shards)) and len(columns) <= max(MOST)
    rows = added(before.rows, [own.rows for own in shards])
    mean, squares = columns_of_all(columns if narrow else [], before, shards)
    lanes = len(rules)
    stay = min(int(own.totals[4]) for own in shards) - lanes if narrow else 0
    while stay and len(columns) > MOST[kinds[stay - 1]]:
        stay -= 1
    totals = [added(old, own) for old, *own in zip(before.totals, *(p.totals for p in shards),
                                                   strict=True)]  # fmt: skip
    totals[4] = float(lanes + stay)
    played = [own.totals[0] - before.totals[0] for own in shards]
    parts = experts(before.parts, [own.parts for own in shards], played, lanes + stay)
    whole = Plain(columns, line, shrink, narrow, rows, mean, squares, totals, parts, [])
    settings = [member.setting for member in members if member[::2] in KINDS]
    for i in range(stay):
        then, after = before.seats[i], [own.seats[i] for own in shards]
        whole.seats.append(seat(kinds[i], settings[i], whole, then, after))
    return whole


def columns_of_all(
    columns: Sequence[int], before: Plain, shards: Sequence[Plain]
) -> tuple[dict[int, float], dict[int, float]]:
    """Mean and squared distances over all rows; a column that was never met was always 0."""
    means_, squares = {}, {}
    for c in columns:
        n0, m0, q0 = before.rows, before.mean.get(c, 0.0), before.squares.get(c, 0.0)
        seen, mean, square = n0, m0, q0
        for own in shards:
            more = own.rows - n0
            if not more:
                continue
            apart = own.mean.get(c, 0.0) - m0
            alone = own.mean.get(c, 0.0) + apart * (n0 / more)
            spread = own.squares.get(c, 0.0) - q0 - apart * apart * (n0 * own.rows / more)
            away, whole = alone - mean, seen + more
            mean = mean + away * (more / whole)
            square = square + max(spread, 0.0) + away * away * (seen * more / whole)
            seen = whole
        means_[c], squares[c] = mean, square
    return means_, squares


def seat(
    kind: int,
    setting: float,
    whole: Plain,
    then: tuple[dict[Any, float], dict[Any, float]],
    now: Sequence[tuple[dict[Any, float], dict[Any, float]]],
) -> tuple[dict[Any, float], dict[Any, float]]:
    slots: list[int | None] = [None, *whole.columns]
    of_weight, of_second = keys_of(kind, slots)
    if KINDS[kind][0] == "means":
        return class_means(setting, whole, then[1], [own for _, own in now])
    if KINDS[kind][0] == "matrix":

        def of(seat_: tuple[dict[Any, float], dict[Any, float]]) -> tuple[list[float], Matrix]:
            own, matrix = seat_
            return [own.get(a, 0.0) for a in slots], [
                [matrix.get(frozenset((a, b)), float(a == b)) for b in slots] for a in slots
            ]

        mean, spread = by_matrices(*of(then), [of(own) for own in now])
        place = {slot: i for i, slot in enumerate(slots)}
        pairs = {}
        for key in of_second:
            a, b = (*key, *key)[:2]
            j, k = max(place[a], place[b]), min(place[a], place[b])
            pairs[key] = spread[j][k]
        return dict(zip(of_weight, mean, strict=True)), pairs
    weight, second = {}, {}
    for key in of_weight:
        pairs_ = [(own.get(key, 0.0), other.get(key, 1.0)) for own, other in now]
        weight[key], second[key] = arow(then[0].get(key, 0.0), then[1].get(key, 1.0), pairs_)
    return weight, second


def class_means(
    setting: float, whole: Plain, then: dict[Any, float], now: Sequence[dict[Any, float]]
) -> tuple[dict[Any, float], dict[Any, float]]:
    second: dict[Any, float] = {}
    for c in range(2):
        mass = added(then[c, None], [own[c, None] for own in now])
        second[c, None] = mass
        for column in whole.columns:
            old = then.get((c, column), 0.0)
            moved = 0.0
            for own in now:
                moved += own[c, None] * (own.get((c, column), 0.0) - old)
            second[c, column] = old + moved / mass if mass > 0.0 else old
    weight = dict.fromkeys([None, *whole.columns], 0.0)
    low_mass, high_mass = second[0, None], second[1, None]
    total = low_mass + high_mass
    if not total > 0.0:
        return weight, second
    between = low_mass * high_mass / total / (total + setting)
    level = 0.0
    for column in whole.columns:
        variance = whole.squares[column] * (1.0 / whole.rows)
        inverse_ = 1.0 / math.sqrt(variance) if variance > 1e-280 else 0.0
        low, high = (
            max(-4.0, min(4.0, (second[c, column] - whole.mean[column]) * inverse_))
            for c in range(2)
        )
        apart = high - low
        within = max(1.0 - between * (apart * apart), 0.05)
        low *= low_mass / (low_mass + setting)
        high *= high_mass / (high_mass + setting)
        weight[column] = (high - low) / within
        level += weight[column] * (high + low)
    weight[None] = logarithm(high_mass + 1.0) - logarithm(low_mass + 1.0) - 0.5 * level
    return weight, second


def experts(
    before: dict[str, Any], shards: Sequence[dict[str, Any]], rows: Sequence[float], present: int
) -> dict[str, Any]:
    """Slopes, combination, beliefs and records."""
    found: dict[str, Any] = {"prior": before["prior"]}
    for name in ("square", "curvature", "mistakes"):
        each = zip(before[name], *(own[name] for own in shards), strict=True)
        found[name] = [added(old, now) for old, *now in each]
    found["slope"] = []
    for m, old in enumerate(before["slope"]):
        moved = total = 0.0
        for own in shards:
            moved += own["curvature"][m] * (own["slope"][m] - old)
            total += own["curvature"][m]
        found["slope"].append(max(old + moved / total, 0.01))
    n = len(before["share"])

    def inside(own: dict[str, Any]) -> tuple[list[float], Matrix]:
        return own["share"][: present + 1], [r[: present + 1] for r in own["spread"][: present + 1]]

    share, spread = by_matrices(*inside(before), [inside(own) for own in shards])
    found["share"] = share + [0.0] * (n - present - 1)
    found["spread"] = [row + [0.0] * (n - present - 1) for row in spread]
    found["spread"] += [[0.0] * n for _ in range(n - present - 1)]
    there = [e < present or e >= n - 1 for e in range(n + 1)]
    belief = [0.0] * (n + 1) if any(rows) else list(before["belief"])
    for shard, votes in zip(shards, rows, strict=True):
        belief = [old + votes * own for old, own in zip(belief, shard["belief"], strict=True)]
    belief = [own if here else 0.0 for own, here in zip(belief, there, strict=True)]
    whole = 0.0
    for expert in belief:
        whole += expert
    found["belief"] = [expert / whole for expert in belief]
    found["likelihood"], found["places"] = [], []
    for e, (old, places) in enumerate(zip(before["likelihood"], before["places"], strict=True)):
        first, power = math.frexp(old)
        product, exponent = first, power - 512 * places
        for shard in shards:
            part, of_two = math.frexp(shard["likelihood"][e])
            product, carried = math.frexp(product * (part / first))
            exponent += carried + of_two - 512 * shard["places"][e] - (power - 512 * places)
        more = max(-exponent // 512, 0)
        found["likelihood"].append(min(math.ldexp(product, exponent + 512 * more), 1.0))
        found["places"].append(more)
    return found
