"""Exports at work: C compiled, JavaScript run, JSON scored with plain Python.

Each runner takes rows by columns, rows by names (as pairs, so that a name may come twice) and
texts, and gives for each the scores and the label.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import quickjs

from tests.reference.committee import clipped, exponential, inverse
from thresher.export import to_c, to_js
from thresher.models.model import Model

Row = dict[int, float]
Pairs = Sequence[tuple[str, float]]
Answer = tuple[list[float], str]

DOORS = """
#include "model.h"
void scores(const int32_t *c, const double *v, size_t n, double *s) { m_scores(c, v, n, s); }
const char *label(const int32_t *c, const double *v, size_t n)
{ return m_label(m_predict(c, v, n)); }
"""
NAMES = """
int32_t column(const char *name, size_t n) { return m_column(name, n); }
size_t room(size_t n) { return m_room(n); }
size_t row(const char *const *name, const size_t *length, const double *x, size_t n, int32_t *c,
    double *v) { return m_row(name, length, x, n, c, v); }
"""
TEXTS = """
int row_of_text(const char *text, size_t n, int32_t **c, double **v, size_t *m)
{ return m_row_of_text(text, n, c, v, m); }
"""
PAIRS = """
size_t with_pairs(const int32_t *c, const double *v, size_t n, int32_t *to, double *into)
{ return m_with_pairs(c, v, n, to, into); }
"""
LIKELY = """
void probabilities(const int32_t *c, const double *v, size_t n, double *p)
{ m_probabilities(c, v, n, p); }
"""
ANSWER = """
globalThis.answer = (row) => JSON.stringify([scores(row).map(bits), predict(row)]);
function bits(x) {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, x);
    return view.getBigUint64(0).toString();
}
"""
#: What functions that make rows answer where there is none.
REFUSED = 2 ** (8 * ctypes.sizeof(ctypes.c_size_t)) - 1
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-shared", "-fPIC"]


class InC:
    """The C header, compiled without a warning."""

    def __init__(self, model: Model, folder: Path) -> None:
        self.header = to_c(model, "m")
        (folder / "model.h").write_text(self.header, "ascii")
        named, texts = "m_column(" in self.header, "m_row_of_text" in self.header
        likely = "m_probabilities" in self.header
        doors = DOORS + NAMES * named + TEXTS * texts + LIKELY * likely
        doors += PAIRS * ("m_with_pairs(" in self.header)
        (folder / "doors.c").write_text(doors)
        library = folder / "m.so"
        command = ["gcc", *STRICT, "-o", str(library), str(folder / "doors.c"), "-lm"]
        subprocess.run(command, check=True)
        self._library: Any = ctypes.CDLL(str(library))
        self._library.label.restype = ctypes.c_char_p
        if named:
            self._library.row.restype = self._library.room.restype = ctypes.c_size_t
        self._n = len(model.learner.classes) if model.learner.several else 1

    def _answer(self, column: Any, value: Any, n: int) -> Answer:
        scores = np.zeros(self._n)
        row = (ctypes.c_void_p(column), ctypes.c_void_p(value), ctypes.c_size_t(n))
        self._library.scores(*row, ctypes.c_void_p(scores.ctypes.data))
        return scores.tolist(), self._library.label(*row).decode()

    def row(self, row: Row) -> Answer:
        column = np.array(sorted(row), np.int32)
        value = np.array([row[i] for i in sorted(row)], np.float64)
        return self._answer(column.ctypes.data, value.ctypes.data, len(row))

    def probabilities(self, row: Row) -> list[float]:
        column = np.array(sorted(row), np.int32)
        value = np.array([row[i] for i in sorted(row)], np.float64)
        found = np.zeros(max(2, self._n))
        places = [ctypes.c_void_p(a.ctypes.data) for a in (column, value, found)]
        self._library.probabilities(*places[:2], ctypes.c_size_t(len(row)), places[2])
        return found.tolist()

    def named(self, row: Pairs) -> Answer:
        n = len(row)
        bytes_of = [name.encode("utf-8", "surrogatepass") for name, _ in row]
        names = (ctypes.c_char_p * n)(*bytes_of)
        lengths = np.array([len(name) for name in bytes_of], np.uint64)
        given = np.array([x for _, x in row], np.float64)
        room = self._library.room(ctypes.c_size_t(n))
        column, value = np.zeros(room, np.int32), np.zeros(room)
        arrays = [ctypes.c_void_p(a.ctypes.data) for a in (lengths, given, column, value)]
        m = self._library.row(names, *arrays[:2], ctypes.c_size_t(n), *arrays[2:])
        assert m != REFUSED
        return self._answer(column.ctypes.data, value.ctypes.data, m)

    def refuses(self, row: Pairs) -> bool:
        try:
            self.named(row)
        except AssertionError:
            return True
        return False

    def with_pairs(self, row: Row) -> Answer:
        room = self._library.room(ctypes.c_size_t(len(row)))
        given = np.array(sorted(row), np.int32), np.array([row[i] for i in sorted(row)])
        column, value = np.zeros(room, np.int32), np.zeros(room)
        places = [ctypes.c_void_p(a.ctypes.data) for a in (*given, column, value)]
        m = self._library.with_pairs(*places[:2], ctypes.c_size_t(len(row)), *places[2:])
        return self._answer(column.ctypes.data, value.ctypes.data, m)

    def text(self, text: str) -> Answer:
        data = text.encode()
        column, value, n = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
        places = [ctypes.byref(column), ctypes.byref(value), ctypes.byref(n)]
        assert self._library.row_of_text(data, ctypes.c_size_t(len(data)), *places) == 1
        return self._answer(column.value, value.value, n.value)

    def column(self, name: bytes) -> int:
        found: int = self._library.column(name, ctypes.c_size_t(len(name)))
        return found


class InJavaScript:
    """The module, run by QuickJS."""

    def __init__(self, model: Model, folder: Path | None = None) -> None:
        self.module = to_js(model)
        self._context = quickjs.Context()
        likely = "globalThis.likely = (row) => JSON.stringify(probabilities(row));"
        known = "export function probabilities" in self.module
        self._context.module(self.module + ANSWER + likely * known)

    def _answer(self, argument: str) -> Answer:
        scores, label = json.loads(self._context.eval(f"answer({argument})"))
        return [float(np.uint64(int(bits)).view(np.float64)) for bits in scores], label

    def row(self, row: Row) -> Answer:
        return self._answer("[" + ",".join(f"[{i},{x!r}]" for i, x in row.items()) + "]")

    def probabilities(self, row: Row) -> list[float]:
        given = "[" + ",".join(f"[{i},{x!r}]" for i, x in row.items()) + "]"
        found: list[float] = json.loads(self._context.eval(f"likely({given})"))
        return found

    def named(self, row: Pairs) -> Answer:
        return self._answer("[" + ",".join(f"[{json.dumps(n)},{x!r}]" for n, x in row) + "]")

    def text(self, text: str) -> Answer:
        return self._answer(json.dumps(text))

    def fails(self, argument: str) -> str:
        caught = f"(() => {{ try {{ answer({argument}); }} catch (e) {{ return e.message; }} }})()"
        return str(self._context.eval(caught))


class InJson:
    """The document, scored as docs/exports.md says, in plain Python."""

    def __init__(self, document: str) -> None:
        self.document = json.loads(document)
        self._features = {feature["column"]: feature for feature in self.document["features"]}

    def row(self, row: Row) -> Answer:
        score = self._committee if self.document["kind"] == "committee" else self._linear
        scores = [score(r, one, row) for r, one in enumerate(self.document["scores"])]
        labels = self.document["labels"]
        if self.document["several"]:
            return scores, labels[scores.index(max(scores))]
        return scores, labels[scores[0] >= self.document["threshold"]]

    def probabilities(self, row: Row) -> list[float]:
        scores, _ = self.row(row)
        threshold = self.document["threshold"] or 0.0
        each = [
            self._share(one["probability"], score - threshold)
            for one, score in zip(self.document["scores"], scores, strict=True)
        ]
        return [x / sum(each) for x in each] if self.document["several"] else [1 - each[0], each[0]]

    @staticmethod
    def _share(known: dict[str, Any], margin: float) -> float:
        if known["kind"] == "steps":
            return float(known["shares"][sum(edge <= margin for edge in known["edges"])])
        if known["kind"] == "curve":
            v = known["slope"] * margin + known["intercept"]
            return 1.0 / (1.0 + float(np.exp(-min(max(v, -700.0), 36.0))))
        assert known["kind"] == "halves"
        return (1.0 + margin) / 2.0

    def _known(self, one: dict[str, Any], row: Row) -> Row:
        return {i: row[i] for i in sorted(row) if i < one["n_features"] and row[i]}

    def _linear(self, r: int, one: dict[str, Any], row: Row) -> float:
        row = self._known(one, row)
        scaling = self.document["scaling"]
        if scaling == "online":
            most = {i: self._features.get(i, {}).get("largest", [0.0] * (r + 1))[r] for i in row}
            row = {i: x / max(most[i], abs(x)) for i, x in row.items()}
        elif scaling and row:
            largest = max(map(abs, row.values()))
            row = {i: x / largest for i, x in row.items()}
            size = 0.0
            for x in row.values():
                size += x * x if scaling == "l2" else abs(x)
            size = {"l2": size**0.5, "l1": size, "max": 1.0}[scaling]
            row = {i: x / size for i, x in row.items()}
        total = 0.0
        for i, x in row.items():
            weights = self._features[i]["weights"][r] if i in self._features else one["default"]
            total += weights * x
        return float((total + one["constant"]) / one["divisor"] - one["minus"])

    def _committee(self, r: int, one: dict[str, Any], row: Row) -> float:
        row = self._known(one, row)
        single = np.float32
        shrink = {}
        squares = sizes = 0.0
        for i, x in row.items():
            known = self._features[i]["shrink"][r] if i in self._features else 1e300
            shrink[i] = min(known, inverse(abs(x)))
            part = abs(x) * shrink[i]
            squares, sizes = squares + part * part, sizes + abs(x)
        unit = 1.0 / squares**0.5 if squares > 0.0 else 0.0
        share = 1.0 / sizes if sizes > 1e-300 else 0.0
        odds, lanes = [], len(one["bias"])
        seated = self._seated(one, row)
        for m, member in enumerate(self.document["members"][: lanes + len(one["seats"])]):
            score = single(0.0)
            for i, x in row.items() if m < lanes else ():
                if i not in self._features:
                    continue
                seen = {
                    "scaled": single(x * shrink[i]),
                    "presence": single(np.sign(x)),
                    "unit": single(x * shrink[i] * unit),
                    "root": np.sqrt(single(abs(x) * share)) * single(np.sign(x)),
                }[member["rows"]]
                score = score + single(self._features[i]["weights"][r][m]) * seen
            s = float(score + single(one["bias"][m])) if m < lanes else seated[m - lanes]
            square = (one["square"][m] + s * s) / (one["rounds"] + 1.0)
            standard = clipped(s / square**0.5, 4.0) if square > 0.0 else 0.0
            odds.append(clipped(one["slope"][m] * standard, 8.0))
        average, whole, best = 0.0, 0.0, one["share"][0] * 0.25
        for prior, part, z in zip(one["prior"], one["share"][1:], odds, strict=False):
            average, whole, best = average + prior * z, whole + prior, best + part * z
        beliefs = [*one["belief"][: len(odds)], *one["belief"][-2:]]
        odds += [average / whole, clipped(best, 8.0)]
        total = 0.0
        for belief, z in zip(beliefs, odds, strict=True):
            power = exponential(-abs(z))
            lean = (1.0 - power) / (1.0 + power)
            total += belief * (-lean if z < 0.0 else lean)
        return total

    def _seated(self, one: dict[str, Any], row: Row) -> list[float]:
        known = one["standard"]
        share = 1.0 / (known["rows"] + 1.0)
        kept = known["rows"] * share
        z, square, hats = [1.0], [1.0], [(k, float(k == 0)) for k in range(8)]
        for i, mean, squares in zip(known["columns"], known["mean"], known["squares"], strict=True):
            away = row.get(i, 0.0) - mean
            near = away * kept
            variance = (squares + away * near) * share
            varied = variance > 1e-280
            z.append(clipped(near / variance**0.5, 4.0) if varied else 0.0)
            square.append(z[-1] * z[-1] - 1.0 if varied else 0.0)
            place = min(max((z[-1] + 1.75) * 2.0, 0.0), 7.0)
            below = min(int(place), 6)
            own = {below: 1.0 - (place - below), below + 1: place - below} if varied else {}
            hats += [(k, own.get(k, 0.0)) for k in range(8)]
        found = []
        for m, weights in enumerate(one["seats"], len(one["bias"])):
            rows = self.document["members"][m]["rows"]
            seen = [(k, x) for k, x in enumerate(square if rows == "squares" else z)]
            if rows == "pairs":
                seen = [(k, z[j] * z[k]) for j in range(len(z)) for k in range(j + 1)]
            if rows == "hats":
                seen = hats
            sums = [0.0] * 4
            for weight, (k, x) in zip(weights, seen, strict=True):
                sums[k % 4] += weight * x
            found.append((sums[0] + sums[1]) + (sums[2] + sums[3]))
        return found
