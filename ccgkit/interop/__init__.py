"""Our values as those of other libraries, and back."""
