from thresher.kernels.rows.named_rows import NameTable

class Lexicon:
    hashed: bool
    add: bool
    def __init__(self, names: NameTable, add: bool = True, numbers: bool = True) -> None: ...
    def columns_of(self, names: list[bytes]) -> list[int | None]: ...
