import numpy as np
from numpy.typing import NDArray

from thresher.kernels.lexicon import Lexicon
from thresher.kernels.name_counts import NameCounts
from thresher.kernels.row_sink import RowSink

class JsonScanner:
    def __init__(self, lexicon: Lexicon, label_field: bytes, ignored: list[bytes]) -> None: ...
    def count_names(
        self,
        block: bytes,
        start: NDArray[np.int64],
        stop: NDArray[np.int64],
        counts: NameCounts,
        first: int,
    ) -> int: ...
    def scan(self, block: bytes, first_line: int) -> RowSink: ...
