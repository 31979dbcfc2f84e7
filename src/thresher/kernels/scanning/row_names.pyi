from thresher.kernels.scanning.crossing import Crossing

class RowNames:
    longest: int
    def __init__(self, crossing: Crossing, longest: int) -> None: ...
