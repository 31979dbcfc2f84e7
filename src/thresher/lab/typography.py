"""Statements as a book prints them: the signs that plain text has no letters for."""

from __future__ import annotations

import re

_SIGNS = (
    ("<=", "≤"), (">=", "≥"), ("||", "‖"), ("sqrt", "√"), ("gamma", "γ"), ("alpha", "α"),
    ("beta", "β"), ("theta", "θ"), ("eta", "η"), ("delta", "δ"), ("tau", "τ"), ("rho", "ρ"),
    ("ceil(log2 d)", "⌈log₂ d⌉"), ("log2", "log₂"), (" - ", " − "), ("^2", "²"),
)  # fmt: skip


_RAISED = str.maketrans("K0123456789+", "ᴷ⁰¹²³⁴⁵⁶⁷⁸⁹⁺")


def pretty(text: str) -> str:
    """The same statement in the signs of a book.

    >>> pretty("M <= ||u|| sqrt(S) / gamma"), pretty("M < 1 + r (3K - 2^(K+1)/d)")
    ('M ≤ ‖u‖ √S / γ', 'M < 1 + r (3K − 2ᴷ⁺¹/d)')
    >>> pretty("features of the metadata")
    'features of the metadata'
    """
    for plain, sign in _SIGNS:
        # A word is replaced where it stands alone: beta in "beta x", not in "alphabeta".
        edge = r"\b" if plain.isalpha() else ""
        text = re.sub(f"{edge}{re.escape(plain)}{edge}", sign, text)
    text = re.sub(r"\^\(([K0-9+]+)\)", lambda found: found[1].translate(_RAISED), text)
    return re.sub(r"√\((\w+)\)", r"√\1", text)
