from collections.abc import Sequence

class TextPieces:
    def __init__(self, wanted: Sequence[int], seed: int) -> None: ...
