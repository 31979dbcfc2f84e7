r"""Sentences with formulas in ASCII, as the docstrings have them, with the formulas in TeX.

>>> with_tex("Let ||x_t|| <= R there, and let a stream be given.")
'Let $\\lVert x_{t}\\rVert \\le R$ there, and let a stream be given.'
"""

from __future__ import annotations

import re

from thresher.theory.tex import DIVERGENCES, FUNCTIONS, GREEK, in_tex

_OPERATORS = {"<=", ">=", "<", ">", "=", "+", "-", "/"}
_KNOWN = {*GREEK, *FUNCTIONS, *DIVERGENCES, "sum"}
#: Letters that are also words, and need an operator next to them to be variables.
_ARTICLES = {"a", "A", "I"}
_LITERAL = re.compile(r"(``[^`]*``|`[^`]*`|\*\*[^*]+\*\*)")
_PUNCTUATION = ",.;:"


def with_tex(text: str) -> str:
    """A paragraph in MyST: formulas between dollar signs, everything else as it was."""
    pieces = _LITERAL.split(text)
    return "".join(piece if n % 2 else _sentence(piece) for n, piece in enumerate(pieces))


def _sentence(text: str) -> str:
    words = re.split(r"(\s+)", text)
    tokens, at = [], 0
    while at < len(words):
        stop = _closed(words, at)
        tokens.append("".join(words[at:stop]))
        at = stop
    found, at = "", 0
    while at < len(tokens):
        stop = _run(tokens, at)
        found += _formula("".join(tokens[at:stop])) if stop > at else tokens[at]
        at = max(stop, at + 1)
    return found


def _closed(words: list[str], start: int) -> int:
    """Behind the word with which the brackets opened here are closed, if it is all a formula."""
    for stop in range(start + 1, min(start + 24, len(words)) + 1, 2):
        text = "".join(words[start:stop])
        if _depth(text) <= 0:
            return stop if stop > start + 1 and _is_formula(text) else start + 1
    return start + 1


def _depth(text: str) -> int:
    return sum(text.count(sign) for sign in "([{") - sum(text.count(sign) for sign in ")]}")


def _is_formula(text: str) -> bool:
    """Whether nothing in it is a word of everyday language."""
    names = re.findall(r"[A-Za-z]+", re.sub(r"_(?:\{[^}]*\}|[A-Za-z]+)|log2", "", text))
    known = all(len(name) == 1 or name in _KNOWN for name in names)
    return known and re.fullmatch(r"[\w\s.,;:+*/^|()\[\]{}<>='-]+", text) is not None


def _run(tokens: list[str], start: int) -> int:
    """Behind the last token of the formula that begins here; `start` if none does."""
    stop, strong = start, False
    for at in range(start, len(tokens), 2):
        token = tokens[at]
        bare = token.strip(_PUNCTUATION)
        ends = bare != token
        if not bare or not _is_formula(bare):
            break
        before = at > start and tokens[at - 2] in _OPERATORS
        after = not ends and at + 2 < len(tokens) and tokens[at + 2] in _OPERATORS - {"/"}
        if bare in _OPERATORS:
            if at == start:
                break
            continue
        if bare in _ARTICLES and not (before or after):
            break
        if bare in {*FUNCTIONS, "sum"} and (ends or bare == "sum"):
            break
        signs = re.search(r"[A-Za-z^]", bare) is not None
        strong = strong or (signs and bare not in FUNCTIONS)
        stop = at + 1
        if ends or _depth(token) < 0:
            break
    return stop if strong else start


def _formula(text: str) -> str:
    """A formula without the punctuation around it."""
    body = text.rstrip(_PUNCTUATION)
    ahead, behind = "", text[len(body) :]
    while _depth(body) < 0 and body.endswith(")"):
        body, behind = body[:-1], ")" + behind
    while _depth(body) > 0 and body.startswith("("):
        body, ahead = body[1:], ahead + "("
    if _depth(body) or (body.count("||") % 2 and not re.search(r"(?:RE|kl|D)\(", body)):
        return text
    return f"{ahead}${in_tex(' '.join(body.split()))}${behind}"
