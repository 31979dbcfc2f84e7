"""Runs of shards that learned apart and were combined after each epoch, played again.

What is asked of a shard is a function of its rows (`shard_work`); who has the rows, this process
or workers elsewhere, is somebody else's affair (`source`). So a verdict cannot depend on it.
"""
