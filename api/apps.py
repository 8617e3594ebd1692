"""The app without tables that holds the doors."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """REST and websocket doors."""

    name = "api"

    def ready(self) -> None:
        """Have sign-ins written down, and the browsers they come from."""
        from api.rest.accounts.sign_in.audit_signals import connect_sign_in_log  # noqa: PLC0415 - names models
        from game.services.accounts.browsers import connect_browser_records  # noqa: PLC0415 - the same

        connect_sign_in_log()
        connect_browser_records()
