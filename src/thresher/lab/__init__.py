"""The lab: streams and learners to look at, step by step, in a browser on this machine."""
