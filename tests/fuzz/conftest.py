"""What of this folder holds no tests."""

collect_ignore = ["coverage_guided.py"]  # a script that needs atheris and instruments whatever imports it
