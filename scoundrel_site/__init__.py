"""Settings, routes, ASGI and Celery entry points, health checks.

This does not import the Celery application: the web process sends no tasks, since work
is derived from the database, and Celery would slow its start.
"""
