"""The wiring: settings, routes, doors to the outside. No rule of the game is here.

The Celery application is not imported here on purpose: the web process sends no
tasks (work is derived from the database), so it need not pay for Celery's import.
"""
