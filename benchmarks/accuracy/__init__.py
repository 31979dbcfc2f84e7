"""Progressive error on real data, next to other libraries."""
