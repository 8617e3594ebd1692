"""The app without tables that holds the doors."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """REST and websocket doors."""

    name = "api"

    def ready(self) -> None:
        """Have sign-ins written down."""
        from api.rest.people.witness import watch_people  # noqa: PLC0415 - names models

        watch_people()
