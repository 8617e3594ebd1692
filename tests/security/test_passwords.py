"""Which passwords sign-up and change accept."""

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from zxcvbn.frequency_lists import FREQUENCY_LISTS  # type: ignore[import-untyped]

from game.models import Account
from scoundrel_site.passwords import GAME_WORDS, PasswordValidator
from tests.fixtures.accounts import PASSWORD, auth, person, sign_in

MOST_USED = 3000


def is_accepted(password: str) -> bool:
    try:
        PasswordValidator().validate(password, Account(name="Ada"))
    except ValidationError:
        return False
    return True


def test_most_used_passwords_are_refused() -> None:
    used = [word for word in FREQUENCY_LISTS["passwords"] if len(word) >= 8]
    assert len(used) >= MOST_USED
    # All would take ten seconds; the rarer ones are the likelier to pass.
    tried = used[:MOST_USED:10] + used[MOST_USED - 300 : MOST_USED]
    assert [word for word in tried if is_accepted(word)] == []


@pytest.mark.parametrize(
    "password",
    [
        "seven torches in the hall",
        "ünïcödé wörds häve nö bounds",
        "all-lower-and-no-digit-here",
        "4815162342108902",
        "    spaces    at   both    ends    ",
        "kq4-zr7w-" * 7,
        "κλειδί του κάτω κόσμου",
        "🗡️🗝️🛡️ nine lives of a cat",
    ],
)
def test_any_characters_are_allowed(password: str) -> None:
    assert is_accepted(password)


@pytest.mark.parametrize("word", GAME_WORDS)
def test_words_of_the_game_do_not_count(word: str) -> None:
    for password in (f"{word}12", f"{word.title()}!{word}", f"{word}{word}{word}"):
        assert len(password) >= 8
        assert not is_accepted(password)
    assert is_accepted(f"{word} and seven torches in the hall")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "other",
    [
        PASSWORD.upper(),
        f" {PASSWORD}",
        f"{PASSWORD} ",
        PASSWORD[:20],
        PASSWORD.replace("o", "ο"),  # noqa: RUF001 - a Greek letter
    ],
)
def test_password_must_match_exactly(other: str) -> None:
    person("Eve")
    assert sign_in(Client(), username="Eve", password=other).status_code == 400
    assert sign_in(Client(), username="Eve").status_code == 200


@pytest.mark.django_db
def test_change_needs_the_present_password() -> None:
    person("Eve")
    client = Client()
    sign_in(client, username="Eve")
    new = {"new_password": "eight rats under the floor"}
    path = "account/password/change"
    assert auth(client, "POST", path, new).status_code == 400
    wrong = new | {"current_password": "x" * 9}
    assert auth(client, "POST", path, wrong).status_code == 400
    right = new | {"current_password": PASSWORD}
    assert auth(client, "POST", path, right).status_code == 200
    old = sign_in(Client(), username="Eve")
    assert old.status_code == 400


@pytest.mark.django_db
def test_new_site_has_no_account_that_can_sign_in() -> None:
    """Accounts that migrations create have no password."""
    assert not [one.name for one in Account.objects.all() if one.has_usable_password()]
    assert not Account.objects.filter(is_staff=True).exists()
