"""A small lexicon for tests."""

from ccgkit.teaching import Lexicon

TOY = Lexicon.fromstring(r"""
VP :: S\NP
TV :: VP/NP
I John Mary Bill := NP
sleeps := VP
saw likes hates := TV
gave := TV/NP
the a := NP/N
man telescope book pen := N
with := (NP\NP)/NP | (VP\VP)/NP
quickly := VP\VP
which := (N\N)/(S/NP)
file read := TV
without := (VP\VP)/VP
and := conj
""")
