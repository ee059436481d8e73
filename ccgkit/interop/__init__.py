"""Our values as those of other libraries, and back."""

__all__: list[str] = []  # its modules are imported by name, for the libraries they need
