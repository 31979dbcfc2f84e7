"""JavaScript that turns names, rows and texts into columns; `js_module` fills in the gaps."""

from __future__ import annotations

COLUMNS = """
// Where the numbers of a column stand in the tables.
const LINES = new Map();
COLUMNS.forEach((column, line) => LINES.set(column, line));
"""

#: A decimal number below 2^31 is a column.
NUMBERS = """    if (/^(0|[1-9][0-9]{0,9})$/.test(name) && Number(name) < 2147483648)
        return Number(name) < @columns@ ? Number(name) : -1;
"""

HASHED = """
function utf8(text) {
    const bytes = [];
    for (const letter of text) {
        const c = letter.codePointAt(0);
        if (c < 0x80) bytes.push(c);
        else if (c < 0x800) bytes.push(0xc0 | c >> 6, 0x80 | c & 63);
        else if (c < 0x10000) bytes.push(0xe0 | c >> 12, 0x80 | c >> 6 & 63, 0x80 | c & 63);
        else bytes.push(0xf0 | c >> 18, 0x80 | c >> 12 & 63, 0x80 | c >> 6 & 63, 0x80 | c & 63);
    }
    return bytes;
}

// The column of a name, by its hash (MurmurHash3, 32 bits); negative: the model has none.
function columnOf(name) {
@numbers@    const byte = utf8(name), turned = (x, n) => x << n | x >>> 32 - n;
    const mixed = (block) => Math.imul(turned(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
    let hash = @seed@ | 0, k = 0, block = 0;
    for (; k + 4 <= byte.length; k += 4) {
        block = byte[k] | byte[k + 1] << 8 | byte[k + 2] << 16 | byte[k + 3] << 24;
        hash = Math.imul(turned(hash ^ mixed(block), 13), 5) + 0xe6546b64 | 0;
    }
    block = 0;
    for (let rest = byte.length; rest > k; rest--) block = block << 8 | byte[rest - 1];
    hash ^= mixed(block) ^ byte.length;
    hash = Math.imul(hash ^ hash >>> 16, 0x85ebca6b);
    hash = Math.imul(hash ^ hash >>> 13, 0xc2b2ae35);
    return ((hash ^ hash >>> 16) >>> 0) % @columns@ | 0;
}
"""

LISTED = """
const NAMES = new Map([
    @pairs@,
]);

// The column of a name; negative: the model does not know it.
function columnOf(name) {
    return NAMES.get(name) ?? -1;
}
"""

NAMELESS = """
// The model has no names: features are columns.
function columnOf(name) {
    return /^(0|[1-9][0-9]{0,9})$/.test(name) ? Number(name) : -1;
}
"""

TEXT = """
// What is cut out of a text, exactly as in training: a Map from names to values.
export function features(text) {
    const row = new Map();
    const add = (name) => row.set(name, @times@);
    const small = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    const word = /[0-9a-z\\u0080-\\u{10ffff}]+(?:'[0-9a-z\\u0080-\\u{10ffff}]+)*/gu;
    const words = small.match(word) ?? [];
    for (let i = 0; i < words.length; i++)
        for (let n = @shortest@; n > 0 && n <= @longest@ && i + n <= words.length; n++)
            add(words.slice(i, i + n).join(" "));
    const letters = Array.from(` ${small} `.replace(/[\\t-\\r ]+/g, " "));
    for (let i = 0; i < letters.length; i++)
        for (let n = @first@; n > 0 && n <= @last@ && i + n <= letters.length; n++)
            add("c:" + letters.slice(i, i + n).join(""));
    for (let i = 0; i < words.length; i++)
        for (let n = 1; n < @window@ && i + n < words.length; n++)
            add(`${words[i]} ~${n} ${words[i + n]}`);
    return row;
}
"""

#: How a row gets pairs: nothing, or the sides of names and the columns of pairs.
NO_PAIRS = """
function sidesOf() {
    return 0;
}

function withPairs(entries) {
    return entries;
}
"""

PAIRS = """
// Two groups for each pair of them whose features make pairs; none at all: every two do.
const GROUPS = [@groups@];
const JOINT = @joint@;

// A bit for each side of each pair of groups on which a feature is.
function sidesOf(name) {
    if (typeof name === "number" && !@columns@)
        throw new TypeError(`pairs are made of names, and ${name} is a column`);
    if (String(name).includes(JOINT)) throw new RangeError(`${name} has the name of a pair`);
    if (!GROUPS.length) return 3;
    const within = (group) => name === group || name.startsWith(group + "=")
        || name.startsWith(group + "^");
    return GROUPS.flat().reduce((found, group, k) => within(group) ? found | 1 << k : found, 0);
}

@column@
// Entries with the pairs that they make, whose values multiply.
function withPairs(entries) {
    const more = [];
    let asked = 0;
    for (let k = 0; k < Math.max(1, GROUPS.length); k++) {
        const left = 1 << 2 * k, right = left << 1, earlier = left - 1;
        entries.forEach(([one, x, sides], i) => {
            if (!(sides & left)) return;
            const turned = (sides & 0x55555555) << 1 | (sides >> 1 & 0x55555555);
            entries.forEach(([other, y, others], j) => {
                // No feature is paired with itself, and no pair comes twice.
                if (!(others & right) || (j <= i && sides & right && others & left)) return;
                if (++asked > @most@) throw new RangeError("more than @most@ pairs");
                if (!(turned & others & earlier))
                    more.push([columnOfPair(one, other), x * y, 0]);
            });
        });
    }
    if (more.some(([, x]) => !Number.isFinite(x))) throw new RangeError("a product is not finite");
    return joined([...entries, ...more.filter(([column, x]) => column >= 0 && x !== 0)]);
}
"""

HASHED_PAIR = """// The column of the pair of two columns, in either order.
function columnOfPair(one, other) {
    let h = BigInt(Math.min(one, other)) << 32n | BigInt(Math.max(one, other));
    for (const factor of [0xff51afd7ed558ccdn, 0xc4ceb9fe1a85ec53n])
        h = BigInt.asUintN(64, (h ^ h >> 33n) * factor);
    return Number(BigInt.asUintN(32, h ^ h >> 33n)) % @size@ | 0;
}
"""

LISTED_PAIR = """const PAIRS = new Map();
for (const [name, column] of NAMES) {
    const [one, other] = name.split(JOINT);
    if (other !== undefined) {
        PAIRS.set(`${NAMES.get(one)} ${NAMES.get(other)}`, column);
        PAIRS.set(`${NAMES.get(other)} ${NAMES.get(one)}`, column);
    }
}

// The column of the pair of two columns, in either order; negative: the model has none.
function columnOfPair(one, other) {
    return PAIRS.get(`${one} ${other}`) ?? -1;
}
"""

ROW = """
function NOT_A_ROW() {
    throw new TypeError("a row is an object from names to values, a Map, or pairs");
}

// Entries of increasing columns; those of one column count together.
function joined(entries) {
    const found = [];
    for (const [column, x, sides] of entries.sort((a, b) => a[0] - b[0])) {
        const last = found[found.length - 1];
        if (last === undefined || last[0] !== column) {
            found.push([column, x, sides]);
            continue;
        }
        const held = last[1];
        if (!@strongest@) last[1] = held + x;
        else if (Math.abs(x) > Math.abs(held) || (x === -held && x > 0)) last[1] = x;
        last[2] |= sides;
    }
    if (found.some(([, x]) => !Number.isFinite(x)))
        throw new RangeError("values of one column add up to more than a number holds");
    return found.filter(([, x]) => x !== 0);
}

// A row as increasing columns and their values, with pairs where the model makes some.
function packed(row) {
    if (typeof row === "string") row = @text@;
    const object = row[Symbol.iterator] === undefined, entries = [];
    for (const [key, given] of object ? Object.entries(row) : row) {
        const x = Number(given);
        if (!Number.isFinite(x)) throw new RangeError(`the value of ${key} is not finite`);
        const column = Number.isInteger(key) ? key : columnOf(String(key));
        // JavaScript makes strings of the keys of an object, and the model knows both.
        if (object && /^(0|[1-9][0-9]*)$/.test(key) && @unsure@)
            throw new TypeError(`is ${key} a column or a name? Give pairs: [${key}, 1] is a `
                + `column, ["${key}", 1] a name`);
        // Some engines do not find 7 in a Map where a division made it: | 0 makes it whole again.
        if (x !== 0 && column >= 0 && column < 2147483648)
            entries.push([column | 0, x, sidesOf(key)]);
    }
    const found = withPairs(joined(entries));
    return { column: found.map((entry) => entry[0]), value: found.map((entry) => entry[1]) };
}
"""
