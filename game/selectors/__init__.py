"""The readers that are more than one line. They change nothing."""
