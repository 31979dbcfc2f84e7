"""A process that reads rows from a pipe and nothing else, for `benchmarks.memory` to measure."""

from __future__ import annotations

from pathlib import Path

from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.reading import read_stream

N_FEATURES = 2**18

if __name__ == "__main__":
    stream = read_stream("-", names=NameTable(N_FEATURES, True), scheme=LabelScheme())
    rows = sum(len(batch) for batch in stream)
    # Not from getrusage: there, a process begins with what its parent held when it was started.
    status = Path("/proc/self/status").read_text()
    kibibytes = int(status.partition("VmHWM:")[2].split()[0])
    print(rows, stream.sources[0].n_bytes, kibibytes / 1024)
