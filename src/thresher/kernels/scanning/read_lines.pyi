from collections.abc import Callable

def read_lines(
    read_into: Callable[[memoryview], int | None],
    begun: bytes,
    size: int,
    has_more: Callable[[], bool] | None = None,
) -> tuple[bytes, bytes, bool]: ...
