r"""From the formulas of the theorems, written in ASCII, to TeX.

A theorem states its bound once, in the ASCII that a terminal can show; what a browser shows is
made from it, so that the two cannot differ. The notation is that of the docstrings: ``||u||`` is a
norm, ``x.y`` an inner product, ``a / b`` a fraction of everything multiplied before it (``a/b``,
without blanks, of the last factor), and words are words.

>>> in_tex("M <= R^2 ||u||^2 / gamma^2")
'M \\le \\frac{R^{2} \\lVert u\\rVert^{2}}{\\gamma^{2}}'
>>> in_tex("M <= k N for odd k")
'M \\le k N\\text{ for odd }k'
"""

from __future__ import annotations

import re

GREEK = {
    *("alpha", "beta", "gamma", "delta", "epsilon", "eta", "theta", "lambda"),
    *("mu", "nu", "pi", "rho", "sigma", "tau", "phi", "psi"),
}
_NAMED = {"ln", "exp", "cosh", "min", "max"}
#: Functions that TeX does not know.
_OPERATORS = {"atanh", "sgn", "grad", "dual"}
#: Functions of one argument that are drawn around it.
_AROUND = {
    "sqrt": (r"\sqrt{", "}"),
    "floor": (r"\left\lfloor ", r"\right\rfloor"),
    "ceil": (r"\left\lceil ", r"\right\rceil"),
}
#: Between whose arguments ``||`` stands for "from", as in a divergence.
DIVERGENCES = {"kl", "RE", "D"}
_SIGNS = {
    "<=": r"\le",
    ">=": r"\ge",
    "!=": r"\ne",
    "->": r"\to",
    "...": r"\ldots",
    "..": r"\ldots",
    "+-": r"\pm",
    "*": r"\cdot",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
}
_TOKEN = re.compile(
    r"""(?P<blank>\s+)
      | (?P<number>\d+(?:\.\d+)?)
      | (?P<sum>sum\ (?:of|over)\b|sum(?=_))
      | (?P<name>log2|[A-Za-z]+\d?)
      | (?P<sign>\.\.\.?|<=|>=|!=|->|\|\||\+-|.)""",
    re.X,
)
_SCRIPT = re.compile(
    r"_(\{[^}]*\}|[A-Za-z0-9]+)|\^(\([^)]*\)|-?[A-Za-z0-9]+\*?)|('+)|(\*)(?=[\s,).:}]|\(|$)"
)
_WORDS = re.compile(r"\s*(?:(?:[A-Za-z][a-z-]*[a-z]|a(?=\s))(?:\s+|(?=[,.:;)]|$)))+")
#: What makes brackets grow.
_HIGH = re.compile(r"\\(?:d?frac|sum|lceil|lfloor|sqrt|left)")
#: A count of errors on one side, as in ``m- <= A``: the sign belongs to the name.
_SIDE = re.compile(r"[+-](?=\s*(?:[,).;]|<|>|=|$))")


def in_tex(formula: str) -> str:
    """One line of ASCII mathematics as TeX, to stand between dollar signs."""
    return _Reader(formula.strip()).line("").strip()


class _Reader:
    """Reads a formula from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def line(self, closing: str, divergence: bool = False) -> str:
        """Everything up to a closing sign, which is read too."""
        parts: list[str] = []
        product: list[str] = []
        while self.at < len(self.text):
            if closing and self.text.startswith(closing, self.at):
                self.at += len(closing)
                break
            blank = self._skip_blanks()
            if closing and self.text.startswith(closing, self.at):
                continue
            if self._slash():
                spaced = blank and self._skip_blanks()
                bottom = self._bare(self._factor())
                # What ranges over the fraction stands before it.
                ranges = [part for part in product if part.startswith((r"\min_", r"\sum"))]
                kept = len(ranges) if spaced else len(product) - 1
                top = self._bare(" ".join(product[kept:]))
                product[kept:] = [rf"\frac{{{top}}}{{{bottom}}}"]
                continue
            if divergence and self.text.startswith("||", self.at):
                self.at += 2
                product.append(r"\,\|\,")
                continue
            words = self._words()
            if words:
                parts += [
                    *_product(product),
                    rf"\text{{{' ' if parts or product else ''}{words} }}",
                ]
                product = []
                continue
            found = self._factor()
            if found in _ENDS:
                parts += [*_product(product), found]
                product = []
            else:
                product.append(found)
        parts += _product(product)
        return _joined(parts)

    def _skip_blanks(self) -> bool:
        start = self.at
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.at > start

    def _slash(self) -> bool:
        found = self.text.startswith("/", self.at)
        self.at += found
        return found

    def _words(self) -> str:
        """Words of everyday language, as many as follow each other."""
        found = _WORDS.match(self.text, self.at)
        if found is None:
            return ""
        kept: list[str] = []
        for word in found.group().split():
            if word in _KNOWN:
                break
            kept.append(word)
        while kept and kept[-1] == "a":
            kept.pop()
        for word in kept:
            self._skip_blanks()
            self.at += len(word)
        return " ".join(kept)

    def _factor(self) -> str:
        """A name, a number, a group or a function with what it is applied to, and its scripts."""
        self._skip_blanks()
        token = _TOKEN.match(self.text, self.at)
        if token is None:
            return ""
        self.at = token.end()
        kind, text = token.lastgroup, token.group()
        if kind == "number":
            return text + self._scripts()
        if kind == "sum":
            return r"\sum" + self._scripts()
        if kind == "name":
            return self._name(text)
        if text == "||":
            return rf"\lVert {self.line('||')}\rVert" + self._scripts()
        if text == "|":
            return rf"\lvert {self.line('|')}\rvert" + self._scripts()
        if text in "([":
            close = ")" if text == "(" else "]"
            inside = self.line(close)
            if not _HIGH.search(inside):
                return text + inside + close + self._scripts()
            return rf"\left{text}{inside}\right{close}" + self._scripts()
        if text == ".":
            return r"\cdot" if re.match(r"[A-Za-z(]", self.text[self.at :]) else "."
        return _SIGNS.get(text, text)

    def _name(self, name: str) -> str:
        if name in _AROUND:
            before, after = _AROUND[name]
            return before + self._bare(self._factor()) + after + self._scripts()
        if name == "log2":
            return rf"\log_2 {self._factor()}"
        if name in _NAMED:
            scripts = self._scripts()
            word = _WORDS.match(self.text, self.at)
            apart = word is not None and word.group().split()[0] not in _KNOWN
            return rf"\{name}{scripts}" + ("" if scripts or apart else f" {self._factor()}")
        if name == "sum":
            return r"\sum"
        if name in GREEK:
            return rf"\{name}" + self._scripts() + self._called()
        if name in DIVERGENCES and self.text.startswith("(", self.at):
            self.at += 1
            inside = self.line(")", divergence=True)
            return rf"{_operator(name)}\left({inside}\right)"
        if name == "E" and self.text.startswith("[", self.at):
            return r"\mathbb{E}" + self._factor()
        if name == "C" and re.match(r"\(\w, \w\)", self.text[self.at :]):
            top, bottom = self.text[self.at + 1], self.text[self.at + 4]
            self.at += 6
            return rf"\binom{{{top}}}{{{bottom}}}" + self._scripts()
        if len(name) > 1 and name[-1].isdigit():
            scripts = self._scripts()
            # One index after another is one index of two parts.
            inner = f",{scripts[2:]}" if scripts.startswith("_{") else f"}}{scripts}"
            return rf"{name[:-1]}_{{{name[-1]}{inner}" + self._called()
        return _operator(name) + self._scripts() + self._called()

    def _called(self) -> str:
        """What a named function is applied to; it stays with its name."""
        return self._factor() if self.text.startswith("(", self.at) else ""

    def _bare(self, factor: str) -> str:
        """A group without its brackets, where something else holds it together."""
        for start, end in ((r"\left(", r"\right)"), ("(", ")")):
            if factor.startswith(start) and factor.endswith(end):
                inside = factor[len(start) : -len(end)]
                depth = 0
                for sign in re.findall(r"[()]", inside):
                    depth += 1 if sign == "(" else -1
                    if depth < 0:
                        return factor
                return inside
        return factor

    def _scripts(self) -> str:
        """Indices, powers, stars and primes."""
        found = ""
        while True:
            side = _SIDE.match(self.text, self.at)
            script = _SCRIPT.match(self.text, self.at)
            if script is None:
                if side is not None and self.text[self.at - 1].isalpha():
                    self.at = side.end()
                    found += f"^{side.group()[0]}"
                    continue
                return found
            self.at = script.end()
            below, above, primes, star = script.groups()
            if below:
                inside = below.strip("{}")
                long = len(inside) > 1 and inside.isalpha()
                found += rf"_{{\text{{{inside}}}}}" if long else f"_{{{in_tex(inside)}}}"
            elif above:
                inside = above[1:-1] if above.startswith("(") else above
                found += f"^{{{_in_line(inside)}}}"
            else:
                found += primes or "^{*}" if star is None else "^{*}"


def _in_line(formula: str) -> str:
    """An exponent: fractions stay on the line."""
    return "/".join(in_tex(part) for part in formula.split("/"))


def _operator(name: str) -> str:
    return name if len(name) == 1 else rf"\operatorname{{{name}}}"


def _product(factors: list[str]) -> list[str]:
    return [" ".join(factors)] if factors else []


def _joined(parts: list[str]) -> str:
    text = ""
    for part in parts:
        glued = not text or part in {",", ".", ";", ":"} or r"\text{" in (part[:6], text[-1:])
        text += part if glued or part.startswith(r"\text{") or text.endswith(" }") else f" {part}"
    return re.sub(r" \}(?=[,.;:)\]]|$)", "}", text)


_ENDS = {
    "<",
    ">",
    "=",
    "+",
    "-",
    ",",
    ";",
    ":",
    ".",
    *(_SIGNS[s] for s in ("<=", ">=", "!=", "->")),
}
FUNCTIONS = {*_NAMED, *_AROUND, *_OPERATORS, "log2"}
_KNOWN = {*GREEK, *FUNCTIONS, *DIVERGENCES, "sum"}
