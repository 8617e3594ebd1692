"""The app without tables that holds the doors."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """REST and websocket doors."""

    name = "api"

    def ready(self) -> None:
        """Have sign-ins logged, their browsers recorded, and attempts decided again."""
        from api.rest.accounts.sign_in.account_signals import connect_account_signals  # noqa: PLC0415 - names models
        from api.rest.accounts.sign_in.audit_signals import connect_sign_in_log  # noqa: PLC0415 - the same

        connect_account_signals()
        connect_sign_in_log()
