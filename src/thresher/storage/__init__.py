"""What survives the process: a container of arrays, values packed into it, files written whole."""
