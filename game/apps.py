"""The Django app that has all tables."""

from django.apps import AppConfig


class GameConfig(AppConfig):
    """Scoundrel Live's tables and services."""

    name = "game"
    verbose_name = "Scoundrel Live"
