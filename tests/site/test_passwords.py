"""The cost of a hash, concurrent hashes, and which passwords are accepted."""

import threading
import time

import pytest
from django.core.exceptions import ValidationError

from game.models import Account
from scoundrel_site import passwords
from scoundrel_site.passwords import LightArgon2Hasher, PasswordValidator


def test_hash_parameters() -> None:
    hasher = LightArgon2Hasher()
    encoded = hasher.encode("a password", hasher.salt())
    assert encoded.startswith("argon2$argon2id$v=19$m=47104,t=1,p=1$")
    assert hasher.verify("a password", encoded)
    assert not hasher.verify("another", encoded)
    assert not hasher.must_update(encoded)


def test_two_hashes_run_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    running, most = [0], [0]
    lock = threading.Lock()

    def slow(*_: object) -> str:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.02)
        with lock:
            running[0] -= 1
        return "x"

    stock = LightArgon2Hasher.__mro__[1]
    monkeypatch.setattr(stock, "encode", slow)
    monkeypatch.setattr(stock, "verify", slow)
    hasher = LightArgon2Hasher()
    threads = [
        threading.Thread(target=work, args=("a", "b"))
        for work in [hasher.encode, hasher.verify] * 4
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [passwords.MAX_CONCURRENT_HASHES]


@pytest.mark.parametrize(
    "password",
    [
        "correct horse battery",
        "x7!kQ-m2",
        "очень длинный пароль",
        "й" * 3 + "qW9-zz-17",
    ],
)
def test_accepted_passwords(password: str) -> None:
    PasswordValidator().validate(password, Account(name="Eve"))


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("", "password.length"),
        ("x7!kQ-m", "password.length"),
        ("x" * 129, "password.length"),
        ("password", "password.weak"),
        ("12345678", "password.weak"),
        ("qwertyuiop", "password.weak"),
        ("bartholomew", "password.weak"),
    ],
)
def test_refused_passwords(password: str, code: str) -> None:
    with pytest.raises(ValidationError) as error:
        PasswordValidator().validate(password, Account(name="Bartholomew"))
    codes = {one.code for one in error.value.error_list}
    assert codes == {code}


def test_long_password_is_checked_quickly() -> None:
    start = time.perf_counter()
    PasswordValidator().validate("correct horse battery " * 5)
    assert time.perf_counter() - start < 2
