"""REST, version 1, under /api/v1/: one module a subject, over the services."""
