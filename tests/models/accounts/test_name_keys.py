"""Names that are equal, and names that look alike."""

import pytest

from game.models import name_key, name_skeleton

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
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_equal_names_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_similar_names_have_one_skeleton(one: str, other: str) -> None:
    assert name_skeleton(one) == name_skeleton(other)


def test_different_names_have_different_skeletons() -> None:
    names = ["Ada", "Adam", "Eve", "Bob", "Rob", "Wry Lantern 4821", "Wry Lantern 4822"]
    assert len({name_skeleton(name) for name in names}) == len(names)


def test_key_of_a_key_is_the_key() -> None:
    for name in ("ẞ", "ﬃ", "ǅ", "Ω", "İ", "ΐ"):
        assert name_key(name_key(name)) == name_key(name)
