"""Names that are equal, and names that look alike."""

import disarm
import pytest

from game.contest.look_alikes import CONFUSABLES_VERSION
from game.models import name_key, name_skeleton
from game.models.accounts.name_keys import name_skeletons

SAME = [
    ("Ada", "ADA"),
    ("Straße", "STRASSE"),
    ("Ada", "Ａｄａ"),  # noqa: RUF001
    ("ﬁne", "FINE"),
    ("Å", "Å"),
]
ALIKE = [
    ("Alice", "AIice"),
    ("Alice", "A1ice"),
    ("Ada", "А" + "da"),  # noqa: RUF001 - a Cyrillic A
    ("ace", "асе"),  # noqa: RUF001 - all Cyrillic
    ("Zoe", "Zoë"),
    ("Bob", "B0b"),
    ("Ada Bee", "AdaBee"),
    ("Ada-Bee", "Ada_Bee"),
    ("modern", "modem"),
    ("mod", "ᴍᴏᴅ"),
    ("Orsted", "Ørsted"),
    ("Lukas", "Łukas"),
    ("Hedda", "Ħeđđa"),
    ("Tiktok", "Ŧɨꝁⱦøꝁ"),
    ("Bucker", "Ƀʉꞓꝁɇɍ"),
    ("ABC", "АВС"),  # noqa: RUF001 - all Cyrillic
    ("HANNA", "ΗΑΝΝΑ"),  # noqa: RUF001 - all Greek
    ("Aesir", "Æsir"),
    ("soup", "ѕоսр"),  # noqa: RUF001 - Cyrillic and Armenian
    ("カエロ", "力工口"),
    ("へリ", "ヘり"),
]
# Only in another case than the one it is compared with.
ALIKE_IN_ANOTHER_CASE = [("ΑΘΗΝΑ-", "Αθηνά"), ("Анна", "АННА_")]  # noqa: RUF001


@pytest.mark.parametrize(("one", "other"), SAME)
def test_equal_names_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_similar_names_have_one_skeleton(one: str, other: str) -> None:
    assert name_skeleton(one) == name_skeleton(other)


@pytest.mark.parametrize(("one", "other"), ALIKE_IN_ANOTHER_CASE)
def test_names_are_compared_in_every_case(one: str, other: str) -> None:
    assert name_skeleton(one) in name_skeletons(other)
    assert name_skeleton(other) in name_skeletons(one)


def test_list_of_confusables_is_the_stored_one() -> None:
    """If this fails after an update of `disarm`: add a migration that calls
    `names_rebuild`, as 0020 does, and then change CONFUSABLES_VERSION.
    """
    assert disarm.CONFUSABLES_VERSION == CONFUSABLES_VERSION


def test_different_names_have_different_skeletons() -> None:
    names = ["Ada", "Adam", "Eve", "Bob", "Rob", "Wry Lantern 4821", "Wry Lantern 4822"]
    assert len({name_skeleton(name) for name in names}) == len(names)


def test_key_of_a_key_is_the_key() -> None:
    for name in ("ẞ", "ﬃ", "ǅ", "Ω", "İ", "ΐ"):
        assert name_key(name_key(name)) == name_key(name)
