"""Reading a page back, as a browser would: its tags, its texts, its tables."""

from __future__ import annotations

from html.parser import HTMLParser


class Page(HTMLParser):
    """The tags of a page with their attributes, its text, and its tables as rows of cells."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.tables: list[list[list[str]]] = []
        #: Cards by their titles, with all text in them.
        self.cards: dict[str, list[str]] = {}
        self._open: list[str] = []
        self._card: list[str] | None = None
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "path", "rect", "circle"):
            self._open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in ("td", "th") and self.tables and self.tables[-1]:
            self.tables[-1][-1].append("")
        elif tag == "section":
            self._card = []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag, tag
        if tag == "section" and self._card is not None:
            self.cards[self._card[0] if self._card else ""] = self._card

    def handle_data(self, data: str) -> None:
        if not data.strip() or "style" in self._open:
            return
        self.texts.append(data)
        if self._card is not None and self._open and "section" in self._open:
            self._card.append(data)
        if {"td", "th"} & set(self._open[-4:]) and self.tables and self.tables[-1]:
            self.tables[-1][-1][-1] += data

    @property
    def text(self) -> str:
        """All text."""
        return " ".join(self.texts)

    @property
    def balanced(self) -> bool:
        """Whether every tag that was opened was closed."""
        return not self._open
