"""Functions that change the database. Each checks its request, then writes once."""
