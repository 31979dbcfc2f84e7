"""The verifier's own compiled code: readers and replays that share nothing with the kernels."""
