"""Which passwords are taken, as a sign-up and a change ask it."""

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from zxcvbn.frequency_lists import FREQUENCY_LISTS  # type: ignore[import-untyped]

from game.models import Account
from scoundrel_site.passwords import GAME_WORDS, PasswordValidator
from tests.fixtures.accounts import PASSWORD, auth, person, sign_in

MOST_USED = 3000


def is_sound(password: str) -> bool:
    try:
        PasswordValidator().validate(password, Account(name="Ada"))
    except ValidationError:
        return False
    return True


def test_none_of_the_most_used_is_taken() -> None:
    used = [word for word in FREQUENCY_LISTS["passwords"] if len(word) >= 8]
    assert len(used) >= MOST_USED
    assert [word for word in used[:MOST_USED] if is_sound(word)] == []


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
def test_any_letters_will_do(password: str) -> None:
    assert is_sound(password)


@pytest.mark.parametrize("word", GAME_WORDS)
def test_words_of_this_place_do_not_count(word: str) -> None:
    for password in (f"{word}12", f"{word.title()}!{word}", f"{word}{word}{word}"):
        assert len(password) >= 8
        assert not is_sound(password)
    assert is_sound(f"{word} and seven torches in the hall")


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
def test_a_password_is_checked_letter_by_letter(other: str) -> None:
    person("Eve")
    assert sign_in(Client(), username="Eve", password=other).status_code == 400
    assert sign_in(Client(), username="Eve").status_code == 200


@pytest.mark.django_db
def test_a_change_asks_for_the_old_one() -> None:
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
def test_there_is_no_account_from_the_start() -> None:
    """A new site knows nobody: what migrations make cannot sign in."""
    assert not [one.name for one in Account.objects.all() if one.has_usable_password()]
    assert not Account.objects.filter(is_staff=True).exists()
