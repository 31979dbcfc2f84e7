"""JavaScript that scores rows, linear models and committees; `js_module` fills in the gaps."""

from __future__ import annotations

#: By the scaling: what is found out about the row first, and what is done to each value.
SCALED: dict[str | None, tuple[str, str]] = {
    None: ("", ""),
    "max": (
        """        for (let k = 0; k < column.length; k++)
            if (column[k] < SIZES[r]) largest = Math.max(largest, Math.abs(value[k]));
""",
        "            x = x / largest;\n",
    ),
    "online": (
        "",
        """            largest = line === undefined ? 0.0 : LARGEST[line * SIZES.length + r];
            x = x / Math.max(largest, Math.abs(x));
""",
    ),
}
for _name, _part, _size in (("l2", "x * x", "Math.sqrt(size)"), ("l1", "Math.abs(x)", "size")):
    SCALED[_name] = (
        f"""{SCALED["max"][0]}        for (let k = 0; k < column.length; k++) {{
            const x = value[k] / largest;
            if (column[k] < SIZES[r]) size += {_part};
        }}
        size = {_size};
""",
        "            x = x / largest;\n            x = x / size;\n",
    )

LINEAR = """
// The score of each class, or of the second of two.
export function scores(row) {
    const { column, value } = packed(row);
    return SIZES.map((n, r) => {
        let total = 0.0, largest = 0.0, size = 0.0;
@before@        for (let k = 0; k < column.length; k++) {
            if (column[k] >= n) continue;
            const line = LINES.get(column[k]);
            let x = value[k];
@step@            total += (line === undefined ? DEFAULT[r] : WEIGHTS[line * SIZES.length + r]) * x;
        }
        return (total + CONSTANT[r]) / DIVISOR[r] - MINUS[r];
    });
}
"""

#: What a member sees of a value, by the name of its view.
VIEWS = {
    "scaled": "fround(x * shrink)",
    "presence": "sign",
    "unit": "fround(x * shrink * unit)",
    "root": "fround(fround(Math.sqrt(fround(Math.abs(x) * share))) * sign)",
}

COMMITTEE = """
const MEMBERS = @members@;
const LANES = @lanes@;
const TERMS = [
    @terms@
];
const fround = Math.fround;

// e^x for -8 <= x <= 0, by additions and products alone.
function power(x) {
    let k = (x * @per_ln2@ + @shifter@) - @shifter@;
    const r = (x - k * @ln2@) - k * @rest@;
    let total = TERMS[0];
    for (let t = 1; t < TERMS.length; t++) total = total * r + TERMS[t];
    for (; k < 0; k++) total *= 0.5;
    return total;
}

function within(x, most) {
    return x > most ? most : x < -most ? -most : x;
}

// What the members say about a row: their scores, in single precision.
function membersOf(column, value, r) {
    const lines = column.map((c) => LINES.get(c));
    const shrinks = column.map((c, k) => {
        const known = lines[k] === undefined ? @unseen@ : SHRINK[lines[k] * SIZES.length + r];
        return Math.min(known, 1.0 / Math.abs(value[k]));
    });
    let squares = 0.0, sizes = 0.0;
    for (let k = 0; k < column.length; k++) {
        if (column[k] >= SIZES[r]) continue;
        const part = Math.abs(value[k]) * shrinks[k];
        squares += part * part;
        sizes += Math.abs(value[k]);
    }
    const unit = squares > 0.0 ? 1.0 / Math.sqrt(squares) : 0.0;
    const share = sizes > 1e-300 ? 1.0 / sizes : 0.0;
    const score = new Float32Array(LANES);
    for (let k = 0; k < column.length; k++) {
        if (column[k] >= SIZES[r] || lines[k] === undefined) continue;
        const x = value[k], shrink = shrinks[k], sign = Math.sign(x);
        const own = (lines[k] * SIZES.length + r) * LANES;
        const seen = [
            @seen@,
        ];
        for (let m = 0; m < LANES; m++) score[m] += fround(WEIGHTS[own + m] * seen[m]);
    }
    for (let m = 0; m < LANES; m++) score[m] += BIAS[r * LANES + m];
    return Array.from(score);
}

// Sums side by side, which meet at the end; each term comes with its place.
function inFours(terms) {
    const sum = [0.0, 0.0, 0.0, 0.0];
    for (const [place, term] of terms) sum[place % 4] += term;
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

function* products(w, z) {
    let at = 0;
    for (let j = 0; j < z.length; j++)
        for (let k = 0; k <= j; k++) yield [k, w[at++] * (z[j] * z[k])];
}

function* underHats(w, z, varied) {
    yield [0, w[0]];
    for (let j = 1; j < z.length; j++) {
        if (!varied[j]) continue;
        const place = Math.max(0.0, Math.min(@hats@ - 1, (z[j] - (@first_hat@)) * 2.0));
        const k = Math.min(Math.trunc(place), @hats@ - 2), part = place - k;
        yield [k, w[@hats@ * j + k] * (1.0 - part)];
        yield [k + 1, w[@hats@ * j + k + 1] * part];
    }
}

// The scores of the members that see each column minus its mean, over its deviation.
function seated(column, value, r) {
    const { slots, mean, squares, rows, seats } = SEATS[r];
    if (!seats.length) return [];
    const share = 1.0 / (rows + 1.0), kept = rows * share;
    const given = new Map(column.map((c, k) => [c, value[k]]));
    const z = [1.0], square = [1.0], seenToVary = [true];
    slots.forEach((c, k) => {
        const away = (given.get(c) ?? 0.0) - mean[k], near = away * kept;
        const variance = (squares[k] + away * near) * share;
        const varied = variance > @least@;
        const seen = varied ? within(near / Math.sqrt(variance), @farthest@) : 0.0;
        z.push(seen);
        seenToVary.push(varied);
        square.push(varied ? seen * seen - 1.0 : 0.0);
    });
    return seats.map((w, seat) => {
        if (KINDS[seat] === "pairs") return inFours(products(w, z));
        if (KINDS[seat] === "hats") return inFours(underHats(w, z, seenToVary));
        const x = KINDS[seat] === "squares" ? square : z;
        return inFours(w.map((weight, k) => [k, weight * x[k]]));
    });
}

// The score of each class, or of the second of two: its probability minus that of the rest.
export function scores(row) {
    const { column, value } = packed(row);
    return SIZES.map((_, r) => {
        const odds = [], said = membersOf(column, value, r).concat(seated(column, value, r));
        const share = r * (MEMBERS + 1), weight = r * (MEMBERS + 2);
        let average = 0.0, whole = 0.0, best = SHARE[share] * @level@, score = 0.0;
        said.forEach((s, m) => {
            const own = r * MEMBERS + m;
            const square = (SQUARE[own] + s * s) / (ROUNDS[r] + 1.0);
            const standard = square > 0.0 ? within(s / Math.sqrt(square), @far@) : 0.0;
            odds.push(within(SLOPE[own] * standard, @sure@));
            average += PRIOR[weight + m] * odds[m];
            whole += PRIOR[weight + m];
            best += SHARE[share + 1 + m] * odds[m];
        });
        odds.push(said.length ? average / whole : 0.0, within(best, @sure@));
        odds.forEach((z, m) => {
            const p = power(-Math.abs(z));
            const lean = (1.0 - p) / (1.0 + p);
            const own = m < said.length ? m : m - said.length + MEMBERS;
            score += BELIEF[weight + own] * (z < 0.0 ? -lean : lean);
        });
        return score;
    });
}
"""

TWO = """
// Of two classes, the score of the second.
export function score(row) {
    return scores(row)[0];
}

function numberOf(found) {
    return found[0] >= @threshold@ ? 1 : 0;
}
"""

SEVERAL = """
// The number of the largest score, of the first if several are.
function numberOf(found) {
    let best = 0;
    for (let r = 1; r < found.length; r++) if (found[r] > found[best]) best = r;
    return best;
}
"""

PREDICTING = """
// The label of a row.
export function predict(row) {
    return labels[numberOf(scores(row))];
}
"""

#: By the kind of the map: how a margin becomes a probability against the rest.
SHARES = {
    "steps": """
const EDGES = [
    @edges@,
];
const STEPS = [
    @shares@,
];

// How probable it is that a score that exceeds its threshold by so much is right.
function share(margin, r) {
    let low = 0, high = EDGES[r].length;
    while (low < high) {
        const middle = low + high >> 1;
        if (EDGES[r][middle] <= margin) low = middle + 1;
        else high = middle;
    }
    return STEPS[r][low];
}
""",
    "curve": """
const CURVES = [@curves@];

// How probable it is that a score that exceeds its threshold by so much is right.
function share(margin, r) {
    const v = Math.min(Math.max(CURVES[r][0] * margin + CURVES[r][1], @lowest@), @highest@);
    const small = Math.exp(-Math.abs(v));
    return (v >= 0.0 ? 1.0 : small) / (1.0 + small);
}
""",
    "halves": """
// A score is how probable its label is, minus how probable it is not.
function share(margin) {
    return (1.0 + margin) / 2.0;
}
""",
}

PROBABILITIES_OF_TWO = """
// The probability of each of the labels.
export function probabilities(row) {
    const second = share(scores(row)[0] - (@threshold@), 0);
    return [1.0 - second, second];
}
"""

PROBABILITIES_OF_SEVERAL = """
// The probability of each of the labels.
export function probabilities(row) {
    const each = scores(row).map(share), whole = each.reduce((sum, x) => sum + x, 0.0);
    return each.map((x) => x / whole);
}
"""
