"""Learners of finite classes: lists of concepts, and experts."""
