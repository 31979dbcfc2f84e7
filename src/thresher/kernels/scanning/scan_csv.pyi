import numpy as np
from numpy.typing import NDArray

from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.kernels.scanning.row_sink import RowSink

IGNORED: int
NUMERIC: int
CATEGORICAL: int
LABEL: int

NOT_TEXT: int
FIELD_COUNT: int
NOT_A_NUMBER: int
NOT_FINITE: int
AFTER_QUOTE: int
UNCLOSED: int
WRONG_INDEX: int
SUM: int

class Table:
    n_columns: int
    def __init__(
        self, kinds: list[int], names: list[bytes], separator: bytes, lexicon: Lexicon
    ) -> None: ...
    def count_names(
        self, block: bytes, start: NDArray[np.int64], stop: NDArray[np.int64], counts: NameCounts
    ) -> None: ...
    def scan(self, block: bytes, first_line: int) -> tuple[RowSink, list[str]]: ...
