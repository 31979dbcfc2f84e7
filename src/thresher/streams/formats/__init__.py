"""The formats of files, each with the way its lines become rows."""
