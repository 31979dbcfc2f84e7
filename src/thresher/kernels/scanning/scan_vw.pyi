import numpy as np
from numpy.typing import NDArray

from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.line_scanner import LineScanner
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.kernels.scanning.row_sink import RowSink

LONGEST_NAMESPACE: int

class VwScanner(LineScanner): ...

def scan(
    block: bytes, first_line: int, lexicon: Lexicon, ignore_initial: bool = False
) -> RowSink: ...
def count_names(
    block: bytes,
    start: NDArray[np.int64],
    stop: NDArray[np.int64],
    lexicon: Lexicon,
    counts: NameCounts,
    columns: bool,
) -> None: ...
