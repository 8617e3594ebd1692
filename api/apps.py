"""The app without tables that holds the doors."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """REST and websocket doors."""

    name = "api"
