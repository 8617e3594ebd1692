"""The Django app of REST and websockets; it has no tables."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """REST and websockets."""

    name = "api"

    def ready(self) -> None:
        """Connect what follows sign-ins, and have session keys hashed."""
        from api.rest.accounts.sign_in.account_signals import connect_account_signals  # noqa: PLC0415 - names models
        from api.rest.accounts.sign_in.audit_signals import connect_sign_in_log  # noqa: PLC0415 - the same
        from game.services.accounts.sessions import hash_user_session_keys  # noqa: PLC0415 - the same

        connect_account_signals()
        connect_sign_in_log()
        hash_user_session_keys()
