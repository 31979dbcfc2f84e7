"""From the bytes of a file to rows, without the GIL."""
