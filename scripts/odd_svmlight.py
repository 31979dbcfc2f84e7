"""svmlight text that readers may stumble over: odd labels, numbers, indices, blanks, line ends."""

from __future__ import annotations

import random

LABELS = [
    *b"1 -1 +1 0 -0 +0 2 1.0 1. 01 1e0 10e-1 .1e1 1.00000000000000001 -1.0 -01 2.0 0.0".split(),
    *b"0e5 1e-400 9007199254740992 9007199254740993 9007199254740993.0 9007199254740992e0".split(),
    *b"+9007199254740993 1e16 10000000000000000 1e22 1e23 1e400 -1e400 1_0 10 0x10".split(),
    *b"inf nan NaN +- - + . 1e 1e+ .e1 spam ham a,b {1 [1 |1 1: :1 qid:1 0.5 .5 +.5".split(),
    *b"5e-1 5e-324 1.7976931348623157e308 0.1 0.10000000000000001".split(),
    # Digits and a minus that are not ASCII, blanks and line ends that Unicode has.
    *(text.encode() for text in ("\xe9", "\uff11", "\u0661", "\u22121", "\xa01", "1\xa0")),
    *(text.encode() for text in ("1\u2028", "\ufeff1", "1\x85")),
    # Not UTF-8: bytes alone, a surrogate, beyond the last character, a form that is too long.
    *(b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xb1"),
    *(b"1\0", b"\x011", b"1\x7f", b"a\x0bb", b"a\x0cb", b"1\r", b'"1"'),
    *(b"0" * 30 + b"1", b"0" * 4400 + b"1", b"-" + b"0" * 4400, b"1" * 300, b"1" * 310),
]
NUMBERS = [
    *b"1 1 1 1 0 -0 +0 0.0 1.0 -1 +1 0.5 .5 5. . + - 1e5 1E5 1e+5 1e-5 1e 1e+ e5 1e400".split(),
    *b"-1e400 1e-400 inf -inf nan infinity 0x10 0x1p3 1_0 1,5 1e5.5 1.5.5 --1 +-1 1:2".split(),
    *b"5e-324 4.9e-324 2.4703282292062327e-324 2.4703282292062328e-324 0e999999".split(),
    *b"2.2250738585072011e-308 1.7976931348623157e308 1.7976931348623159e308 1e22 1e23".split(),
    *b"9007199254740993 9007199254740993e0 8.5e22 123456789012345678 12345678901234567890".split(),
    *b"123456789012345678901234567890e-20 1e99999999999999999999 1e-99999999999999999999".split(),
    *b"0.1 0.30000000000000004 1.00000000000000011102 6929495644600919.5 1# 1#2:1".split(),
    *("\uff11".encode(), "\u0661".encode(), b"1\0", b"\xff", b"1\r"),
    b"1.0000000000000001110223024625156540423631668090820312500000001",
    *(b"0" * 400 + b"1", b"0." + b"0" * 400 + b"1e401", b"1" + b"0" * 400 + b"e-400"),
]
#: The first ten are sound.
INDICES = [
    *b"0 1 2 3 7 7 007 10 123 262143 262144 262145 1234567 12345678 123456789".split(),
    *b"2147483646 2147483647 2147483648 4294967297 18446744073709551621".split(),
    *b"-1 +1 a 1.0 1e1 0x1 1_0 qid".split(),
    *(b"", "\uff11".encode(), b"1\0", b"0" * 40 + b"5"),
]
BLANKS = [b" "] * 12 + [b"\t", b"  ", b" \t ", b"\x0b", b"\x0c", b"\r", b"\xc2\xa0", b"\0", b""]
ENDS = [b"\n"] * 12 + [b"\r\n", b"\r\n", b" \n", b"\t\r\n", b"\r\r\n", b"\n\r", b"\n\n", b"\x85\n"]
TAILS = [b""] * 16 + [
    *(b" # comment", b"#", b"# 3:1", b" #\0\xff\r x", b" qid:7", b" qid:", b" qid", b" qid:\xff\0"),
    *(b" qid:1:2", b" 3:1#3:1", b" #\xe2\x80\xa8", b" "),
]


def a_number(chance: random.Random) -> bytes:
    """A number, or something that some take for one."""
    kind = chance.random()
    if kind < 0.4:
        return chance.choice(NUMBERS)
    if kind < 0.7:
        return b"%.*g" % (chance.randint(1, 20), chance.gauss(0, 1))
    digits = b"%d" % chance.getrandbits(chance.choice((10, 53, 54, 64, 90, 200)))
    at = chance.randint(0, len(digits))
    power = chance.choice((0, 5, 22, 23, 27, 28, 60, 310, 330))
    return b"%s.%se%d" % (digits[:at], digits[at:], chance.randint(-power, power))


def a_good_line(chance: random.Random) -> bytes:
    """A line that everybody reads."""
    columns = chance.sample(range(300), chance.randint(0, 8))
    if chance.random() < 0.7:
        columns.sort()
    features = [b"%d:%s" % (c, b"1" if chance.random() < 0.6 else b"0.25") for c in columns]
    return b" ".join([chance.choice((b"1", b"-1", b"+1", b"0", b"2", b"a", b"1.0")), *features])


def an_odd_line(chance: random.Random) -> bytes:
    """A line of pieces that are likely to matter."""
    line = chance.choice((b"", b"", b"", b" ", b"\t")) + chance.choice(LABELS)
    for _ in range(chance.randint(0, 3)):
        pair = chance.choice(INDICES[:10] if chance.random() < 0.8 else INDICES), a_number(chance)
        line += chance.choice(BLANKS) + b":".join(pair)
    return line


def a_damaged_line(chance: random.Random) -> bytes:
    """A line that was good, with one or two bytes changed, added or gone."""
    line = bytearray(a_good_line(chance))
    for _ in range(chance.randint(1, 2)):
        at = chance.randrange(len(line) + 1)
        what = chance.randrange(4)
        if what == 0:
            line[at : at + 1] = bytes([chance.randrange(256)])
        elif what == 1:
            line[at:at] = bytes([chance.choice(b" #:\r\te-.0\0")])
        elif what == 2:
            del line[at : at + chance.randint(1, 4)]
        else:
            line[at:at] = line[: chance.randint(0, 12)]
    return bytes(line)


def mere_bytes(chance: random.Random) -> bytes:
    """Few bytes, most of them such as occur in lines."""
    pool = b"0123456789:.#eE+- \t\r\n\0\xff" if chance.random() < 0.8 else bytes(range(256))
    return bytes(chance.choices(pool, k=chance.randint(0, 12)))


def a_line(chance: random.Random) -> bytes:
    """A line of one of these kinds, with its end."""
    make = chance.choices((a_good_line, an_odd_line, a_damaged_line, mere_bytes), (3, 8, 5, 1))[0]
    return make(chance) + chance.choice(TAILS) + chance.choice(ENDS)


def a_text(chance: random.Random, n_lines: int) -> bytes:
    """Some lines as a file; the mark at its start, and its last line end, may be there or not."""
    text = b"".join(a_line(chance) for _ in range(n_lines))
    text = chance.choice((b"", b"", b"\xef\xbb\xbf", b"\xef\xbb")) + text
    return text if chance.random() < 0.7 else text.rstrip(b"\r\n") + chance.choice((b"", b"\r"))
