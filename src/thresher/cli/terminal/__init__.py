"""What is said to people: words, tables, and lines that are written over."""
