import numpy as np
from numpy.typing import NDArray

from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.kernels.scanning.row_sink import RowSink

class JsonScanner:
    passed_over: bool
    def __init__(
        self,
        lexicon: Lexicon,
        label_field: bytes,
        ignored: list[bytes],
        only: list[bytes] | None = None,
    ) -> None: ...
    def count_names(
        self,
        block: bytes,
        start: NDArray[np.int64],
        stop: NDArray[np.int64],
        counts: NameCounts,
        first: int,
    ) -> int: ...
    def scan(self, block: bytes, first_line: int) -> RowSink: ...
