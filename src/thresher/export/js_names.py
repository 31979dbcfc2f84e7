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

ROW = """
function NOT_A_ROW() {
    throw new TypeError("a row is an object from names to values, a Map, or pairs");
}

// A row as increasing columns and their values; names of one column count together.
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
        if (x !== 0 && column >= 0) entries.push([column, x]);
    }
    entries.sort((a, b) => a[0] - b[0]);
    const column = [], value = [];
    const end = () => {
        if (value[value.length - 1] !== 0) return;
        column.pop();
        value.pop();
    };
    for (const [c, x] of entries) {
        const last = column.length - 1;
        if (last >= 0 && column[last] === c) {
            const held = value[last];
            if (!@strongest@) value[last] = held + x;
            else if (Math.abs(x) > Math.abs(held) || (x === -held && x > 0)) value[last] = x;
        } else {
            end();
            column.push(c);
            value.push(x);
        }
    }
    end();
    return { column, value };
}
"""
