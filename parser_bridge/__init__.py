"""The bridge to the Java C&C parser: its files, its process, its evaluation."""
