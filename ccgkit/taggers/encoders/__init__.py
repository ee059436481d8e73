"""Encoders: words to vectors."""
