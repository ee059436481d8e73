"""The models shipped with the package, and the small transformer they run on."""
