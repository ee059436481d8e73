"""Decoders: vectors to categories, and the search for the k best."""
