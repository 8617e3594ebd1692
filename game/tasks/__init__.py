"""Celery tasks: entry points that read the clock and call one service each."""
