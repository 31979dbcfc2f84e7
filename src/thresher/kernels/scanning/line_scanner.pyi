from thresher.kernels.scanning.lexicon import Lexicon

class LineScanner:
    def __init__(self, block: bytes, lexicon: Lexicon, *_: object) -> None: ...
