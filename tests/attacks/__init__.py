"""Inputs that want to do harm: each is refused in words, in bounded time and memory."""
