"""The two views of allauth's that would tell known e-mails from unknown ones."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.headless.account.inputs import ResetPasswordInput, SignupInput
from allauth.headless.account.views import ResetPasswordView, SignupView
from allauth.headless.internal.restkit.response import ErrorResponse
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse

from game.models import Account
from game.services.accounts.names import name_taken
from game.services.accounts.sign_in import mail_is_set


class SignUpInput(SignupInput):
    """A sign-up. The row is made for a known e-mail too, and can then never be
    verified: the same answer, the same hash, the same name taken, either way.
    """

    def validate_unique_email(self, value: str) -> str:
        """Where no mail can prove an e-mail, one that is taken is refused."""
        return value if mail_is_set() else str(super().validate_unique_email(value))

    def clean_password(self) -> str:
        """Checked in `clean`, where the name and e-mail beside it are known."""
        return str(self.cleaned_data["password"])

    def clean(self) -> Any:
        """Refuse a password that is weak, or much like the name."""
        cleaned = super().clean()
        password = self.cleaned_data.get("password")
        if password:
            name, email = (self.cleaned_data.get(it) for it in ("username", "email"))
            person = Account(name=name or "", email=email)
            try:
                get_adapter().clean_password(password, user=person)
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned

    def try_save(self, request: HttpRequest) -> Any:
        """All of the sign-up's rows, or none."""
        with transaction.atomic():
            return super().try_save(request)


class SignUpView(SignupView):
    """POST {username, email, password}."""

    input_class = {"POST": SignUpInput}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sign up; two who ask for one name at the same moment are told so."""
        try:
            answer: HttpResponse = super().post(request, *args, **kwargs)
        except IntegrityError:
            refusal = name_taken()
            error = ValidationError(refusal.text, code=refusal.code)
            self.input.add_error("username", error)
            answer = ErrorResponse(request, input=self.input)
        return answer


class ResetInput(ResetPasswordInput):
    """A new password by code. Nothing is said of the password before the code is
    right: allauth's own check would run for known e-mails only.
    """

    def clean(self) -> Any:
        """The password's faults count once the code is right."""
        return self.cleaned_data if "key" in self.errors else super().clean()


class ResetView(ResetPasswordView):
    """POST {key, password}."""

    input_class = ResetInput
