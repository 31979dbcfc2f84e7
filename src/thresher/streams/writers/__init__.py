"""Writing rows in any format."""

from thresher.streams.writers.examples import Examples, Writer
from thresher.streams.writers.opening import WRITABLE, format_of, writing

__all__ = ["WRITABLE", "Examples", "Writer", "format_of", "writing"]
