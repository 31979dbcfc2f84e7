"""Checking a certificate, trusting nothing that made it."""
