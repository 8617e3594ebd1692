"""Celery tasks: doors that read the clock and call one service each."""
