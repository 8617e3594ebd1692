"""Sign-up and reset. allauth's own views would reveal which e-mails have accounts."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.headless.account.inputs import ResetPasswordInput, SignupInput
from allauth.headless.account.views import ResetPasswordView, SignupView
from allauth.headless.internal.restkit.response import ErrorResponse
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse

from game.models import Account
from game.services.accounts.names import name_taken, pending_name_free
from game.services.accounts.sign_in import mail_is_set


class SignUpInput(SignupInput):
    """A sign-up. For an e-mail in use it also creates an account, which can never be
    verified, so that response and response time do not differ.
    """

    def validate_unique_email(self, value: str) -> str:
        """Refuse an e-mail in use, but only if no mail can be sent to verify it."""
        return value if mail_is_set() else str(super().validate_unique_email(value))

    def clean_password(self) -> str:
        """Return it as it is: `clean` checks it, together with name and e-mail."""
        return str(self.cleaned_data["password"])

    def clean(self) -> Any:
        """Refuse a password that is weak or too similar to name or e-mail."""
        cleaned = super().clean()
        password = self.cleaned_data.get("password")
        if password:
            name, email = (
                self.cleaned_data.get(field) for field in ("username", "email")
            )
            account = Account(name=name or "", email=email)
            try:
                get_adapter().clean_password(password, user=account)
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned

    def try_save(self, request: HttpRequest) -> Any:
        """Save all rows of the sign-up in one transaction.

        An earlier sign-up with the same name, not yet verified, ends.
        """
        with transaction.atomic():
            pending_name_free(self.cleaned_data["username"])
            return super().try_save(request)


class SignUpView(SignupView):
    """POST {username, email, password}."""

    input_class = {"POST": SignUpInput}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sign up; a name taken at the same moment is an error of that field."""
        try:
            answer: HttpResponse = super().post(request, *args, **kwargs)
        except IntegrityError:
            refusal = name_taken()
            error = ValidationError(refusal.text, code=refusal.code)
            self.input.add_error("username", error)
            answer = ErrorResponse(request, input=self.input)
        return answer


class ResetInput(ResetPasswordInput):
    """A new password by code. With a wrong code the password is not checked, because
    allauth would check it for known e-mails only.
    """

    def clean(self) -> Any:
        """Check the password, unless the code is wrong."""
        return self.cleaned_data if "key" in self.errors else super().clean()


class ResetView(ResetPasswordView):
    """POST {key, password}."""

    input_class = ResetInput
