"""Rows: checked, made from dicts, kept in a journal, written as text."""
