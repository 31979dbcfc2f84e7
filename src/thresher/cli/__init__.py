"""The command line: one command, one file."""

import gc

# Before anything else is imported: that makes many objects that stay, and to look through them for
# garbage takes 2 ms.
gc.set_threshold(100_000, 20, 20)
