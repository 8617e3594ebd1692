"""Selectors of reviews and solutions."""
