"""Management: doors for the operator at the command line."""
