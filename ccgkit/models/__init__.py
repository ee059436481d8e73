"""The models shipped with the package, and how they are found."""
