from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.crossing import Crossing

class Lexicon:
    hashed: bool
    add: bool
    crossing: Crossing | None
    def __init__(
        self,
        names: NameTable,
        add: bool = True,
        numbers: bool = True,
        crossing: Crossing | None = None,
    ) -> None: ...
    def columns_of(self, names: list[bytes]) -> list[int | None]: ...
    def with_pairs(self, names: list[bytes]) -> list[bytes]: ...
