from collections.abc import Callable

class LineReader:
    def __init__(
        self,
        read_into: Callable[[memoryview], int | None],
        has_more: Callable[[], bool] | None = None,
    ) -> None: ...
    def read(self, begun: bytes, size: int) -> tuple[bytes, bytes, bool]: ...
