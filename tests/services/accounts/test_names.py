"""Which names are allowed and free; each refusal once."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.core.management import call_command
from django.utils import timezone

from game.models import Account, Act, BannedName, OldName
from game.services.accounts.accounts import account_change, guest_name
from game.services.accounts.deletion import account_close
from game.services.accounts.name_rebuild import names_rebuild
from game.services.accounts.names import name_check, name_check_free
from game.services.core.errors import ServiceRefusal
from game.services.moderation.filter_words import filter_word_add
from tests.fixtures.accounts import person
from tests.fixtures.moderation import do
from tests.fixtures.runs import NOON

pytestmark = pytest.mark.django_db

GOOD = [
    *("Ada", "Ada Lovelace", "ada_l", "Jean-Luc", "O'Neil", "007", "Zoë", "Ørsted"),
    *(
        "Αθηνά",
        "Анна",
        "さくら",
        "サクラ ちゃん",
        "山田さん",
        "김민수",
        "אדם לוי",
        "नमिता",
    ),
    *(
        "スーパー",
        "佐々木",
        "House Foxes",
        "Deskmate",
        "Scoundrel Jo",
        "Modesty",
        "Ghosty",
    ),
    "x" * 20,
]
BAD = [
    ("length", "ab"),
    ("length", ""),
    ("length", "x" * 21),
    ("spaces", " Ada"),
    ("spaces", "Ada "),
    ("spaces", "Ada  Lovelace"),
    ("invisible", "Ada\u200bL"),  # zero-width space
    ("invisible", "Ada\u200dL"),  # zero-width joiner
    ("invisible", "\u202eadA x"),  # right-to-left override
    ("invisible", "Ada\u2066x"),  # isolate
    ("invisible", "Ada\u00adx"),  # soft hyphen
    ("invisible", "Ada\ufeffx"),
    ("invisible", "Ada\x07x"),
    ("invisible", "Ada\nx"),
    ("invisible", "Ada\x00x"),
    ("invisible", "Ada\ue000x"),  # private use
    ("compatibility", "Ａｄａ"),  # noqa: RUF001
    ("compatibility", "𝐀𝐝𝐚"),  # noqa: RUF001
    ("compatibility", "ﬁne"),
    ("compatibility", "Ada\u00a0x"),  # no-break space
    ("mixed_scripts", "Аdа"),  # noqa: RUF001 - Cyrillic and Latin
    ("mixed_scripts", "Ada Αδα"),
    ("mixed_scripts", "さくらAda"),
    ("characters", "Ada@home"),
    ("characters", "Ada/x"),
    ("characters", "Ada.js"),
    ("characters", "<b>Ada"),
    ("characters", "Ada😀x"),
    ("characters", "---"),
    ("characters", "Ada٣"),  # a digit of another script
    ("characters", "A\u0323\u0307\u0331\u0301da"),  # a pile of marks
    ("reserved", "admin"),
    ("reserved", "ADMIN"),
    ("reserved", "adm1n"),
    ("reserved", "The Admin"),
    ("reserved", "Moderator Joe"),
    ("reserved", "Scoundrel"),
    ("reserved", "Sc0undrel"),
    ("reserved", "house"),
    ("reserved", "Departed 123"),
    ("invisible", "\u115f\u115f\u115f"),
    ("invisible", "Ada\u1160"),
    ("invisible", "Ada\u034fL"),
    ("invisible", "Ada\ufe0f"),
    ("invisible", "Ada\u3164"),
    ("characters", "ーーー"),
    ("characters", "Ada\u02bcx"),
    ("characters", "Adaǃ"),  # noqa: RUF001
    ("characters", "ᴍᴏᴅ"),
    ("characters", "ꓟꓳꓓ"),  # noqa: RUF001
    ("characters", "ᎪᎠᎪ"),  # noqa: RUF001
    ("reserved", "house rat"),
    ("reserved", "House-Jackal"),
    ("reserved", "HouseF0x 7"),
    ("reserved", "House Ghost"),
    ("reserved", "Ghost of Ada"),
    ("reserved", "Ghost-0f Ada"),
    ("reserved", "Helper"),
    ("reserved", "The Desk"),
    ("reserved", "Moderators"),
    ("reserved", "admins"),
    ("reserved", "Mod1"),
    ("reserved", "M0d 51"),
    ("reserved", "System 2"),
    ("reserved", "Scoundrel Team"),
    ("reserved", "ScoundrelSupport"),
    ("reserved", "Scoundrel0fficial"),
]


@pytest.mark.parametrize("name", GOOD)
def test_allowed_names(name: str) -> None:
    assert name_check(name) == name
    name_check_free(name, at=NOON)


@pytest.mark.parametrize(("code", "name"), BAD)
def test_refused_names(code: str, name: str) -> None:
    with pytest.raises(ServiceRefusal) as refused:
        name_check(name)
    assert refused.value.code == f"name.{code}"
    assert refused.value.text.endswith(".")


def test_name_is_stored_in_nfc() -> None:
    assert name_check("Zoe\u0308") == "Zoë"


def test_guest_names_are_allowed() -> None:
    for _ in range(200):
        name_check(guest_name())


@pytest.mark.parametrize(
    ("code", "name"),
    [("taken", "EVE"), ("too_close", "Eve-"), ("too_close", "\u0415v\u0435")],
)
def test_name_of_another_account_is_refused(eve: Account, code: str, name: str) -> None:
    with pytest.raises(ServiceRefusal) as refused:
        name_check_free(name, at=NOON)
    assert refused.value.code == f"name.{code}"
    name_check_free(name, at=NOON, account_id=eve.id)


@pytest.mark.parametrize("name", ["Ørsted", "0rsted", "Orśted", "ORSTED-", "O rsted"])
def test_names_that_look_alike_are_too_close(db: None, name: str) -> None:
    person("Orsted")
    with pytest.raises(ServiceRefusal) as refused:
        name_check_free(name, at=NOON)
    assert refused.value.code == "name.too_close"


def test_names_are_rebuilt_after_an_update_of_the_list(mona: Account) -> None:
    orsted, suzy, olaf = person("Ørsted"), person("Suzy"), person("Olaf")
    account_change(account_id=olaf.id, at=NOON, name="Łukas")
    do(mona, "rename", suzy, reason="name")
    do(mona, "ban", olaf, length=timedelta(days=9))
    account_close(olaf.id, at=timezone.now())
    assert names_rebuild(apps.get_model) == 0
    Account.objects.update(name_skeleton="x")
    OldName.objects.update(skeleton="x")
    BannedName.objects.update(skeleton="x")
    Act.objects.filter(kind="rename").update(facts={"key": "suzy", "skeleton": "x"})
    call_command("names_rebuild")
    orsted.refresh_from_db()
    assert orsted.name_skeleton == "orsted"
    assert {one.skeleton for one in BannedName.objects.all()} == {"lukas", "olaf"}
    assert Act.objects.get(kind="rename").facts["skeleton"] == "suzy"
    assert names_rebuild(apps.get_model) == 0


def test_old_name_is_reserved_for_thirty_days(eve: Account) -> None:
    account_change(account_id=eve.id, at=NOON, name="Eve Newname")
    for name in ("Eve", "eve", "Ev3".replace("3", "e"), "E v e", "Ève"):
        with pytest.raises(ServiceRefusal) as refused:
            name_check_free(name, at=NOON + timedelta(days=29))
        assert refused.value.code == "name.held"
    name_check_free("Eve", at=NOON + timedelta(days=30))
    name_check_free("Eve", at=NOON, account_id=eve.id)


def test_name_with_a_filtered_word_is_refused(db: None) -> None:
    filter_word_add(word="tosspot", by=None, at=NOON)
    filter_word_add(word="knave", by=None, at=NOON, effect="flag")
    for name in ("Tosspot", "t0sspot the 3rd", "Tos5pot"):
        with pytest.raises(ServiceRefusal) as refused:
            name_check_free(name, at=NOON)
        assert refused.value.code == "name.word"
    name_check_free("Tosspotter", at=NOON)
    name_check_free("Knave", at=NOON)


def test_reserved_name_is_refused_to_others(eve: Account) -> None:
    bob = person("Bob")
    account_change(account_id=eve.id, at=NOON, name="Eve Newname")
    with pytest.raises(ServiceRefusal) as refused:
        account_change(account_id=bob.id, at=NOON, name="eve")
    assert refused.value.code == "name.held"


def test_owner_can_take_an_old_name_back(eve: Account) -> None:
    account_change(account_id=eve.id, at=NOON, name="Eve Newname")
    later = NOON + timedelta(days=8)
    back = account_change(account_id=eve.id, at=later, name="Eve")
    assert back.name == "Eve"
    assert [row.name for row in OldName.objects.all()] == ["Eve Newname"]


def test_name_like_a_closed_accounts_is_free(eve: Account) -> None:
    Account.objects.filter(id=eve.id).update(is_active=False)
    name_check_free("Eve-", at=NOON)


def test_name_like_a_removed_one_is_refused(mona: Account) -> None:
    suzy = person("Suzy Free")
    do(mona, "rename", suzy, reason="name")
    for name in ("Suzy Free", "Suzy-Free", "Súzy Fr3e".replace("3", "e"), "SuzyFree"):
        with pytest.raises(ServiceRefusal) as refused:
            name_check_free(name, at=NOON)
        assert refused.value.code == "name.refused"
    name_check_free("Suzanne", at=NOON)
