"""REST version 1, under /api/v1/: a package for each subject, calling services."""
