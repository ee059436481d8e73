"""The command line: one module a command, loaded when it is called."""

__all__: list[str] = []  # nothing for Python: the commands are what it offers
