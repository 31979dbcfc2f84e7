from thresher.kernels.engines.read_write_lock import ReadWriteLock
from thresher.kernels.rows.named_rows import NameTable

class RowEngine(ReadWriteLock):
    owner: str
    names: NameTable
    lowest: float
    highest: float
    whole: bool
    n_rounds: int
    def domain(self) -> str: ...
