"""Functions that read the database and build results. They change nothing."""
