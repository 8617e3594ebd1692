"""Matching of look-alike letters, whole words and links."""

import pytest

from game.contest.text_matching import (
    find_words,
    fold_text,
    has_link,
    has_visible_character,
    limit_marks,
    word_key,
)

WORDS = [word_key(word) for word in ("arse", "toss pot", "dung*", "ass", "été")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You arse!", ["arse"]),
        ("ARSE", ["arse"]),
        ("аrse", ["arse"]),  # noqa: RUF001 - the first letter is Cyrillic
        ("ａｒｓｅ", ["arse"]),  # noqa: RUF001
        ("ärsé", ["arse"]),
        ("a\u200brse", ["arse"]),
        ("a\u0336r\u0336s\u0336e\u0336", ["arse"]),
        ("4rs3", ["arse"]),
        ("@r$e", ["arse"]),
        ("arrrrse", ["arse"]),
        ("a r s e", ["arse"]),
        ("a.r.s.e", ["arse"]),
        ("_arse_", ["arse"]),
        ("arse!", ["arse"]),
        ("you toss-pot", ["toss pot"]),
        ("toss  pot", ["toss pot"]),
        ("dungheap", ["dung*"]),
        ("dung", ["dung*"]),
        ("ASS", ["ass"]),
        ("cet ete", ["été"]),
        # Only whole words match.
        ("parse", []),
        ("arsenal", []),
        ("Scunthorpe class, pass, grass", []),
        ("as you like", []),
        ("asssss", ["ass"]),
        ("toss the pot", []),
        ("a big dog", []),
        ("", []),
    ],
)
def test_words(text: str, found: list[str]) -> None:
    wanted = [word_key(word) for word in found]
    assert find_words(text, WORDS) == wanted


def test_some_texts_have_no_key() -> None:
    assert [word_key(one) for one in ("", " ", "*", "\u200b", "...")] == [""] * 5
    assert word_key("Toss-Pot") == word_key("toss pot") == "toss pot"
    assert fold_text("H3LLÖ") == "hello"


@pytest.mark.parametrize(
    ("text", "is_link"),
    [
        ("https://example.org/x", True),
        ("see HTTP://1.2.3.4", True),
        ("javascript://x", True),
        ("www.example", True),
        ("example.com", True),
        ("example . com", True),
        ("example(dot)com", True),
        ("ｅｘａｍｐｌｅ．ｃｏｍ", True),  # noqa: RUF001
        ("mailto:a", True),
        ("evil.xyz/path", True),
        ("exam\u200dple.c\u200dom", True),
        ("example\ufe0f.com", True),
        ("example\u3002com", True),
        ("example\uff61com", True),
        ("example\uff0ecom", True),
        ("10.20.30.40", True),
        ("go to 1.2.3.4:8000", True),
        ("t.me", True),
        ("example.casino", True),
        ("example.museum/x", True),
        ("\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444", True),
        ("version 1.2.3", False),
        ("1.2.3.999", False),
        ("1.2.3.4.5", False),
        ("ok.then", False),
        ("I won.it was close", False),
        ("and/or", False),
        ("e.g. and/or i.e. so", False),
        ("Well played. Come again", False),
        ("10.5 to 3", False),
        ("wait...to be sure", False),
        ("e.g. this", False),
        ("ok.", False),
        ("3:1", False),
    ],
)
def test_links(text: str, is_link: bool) -> None:
    assert has_link(text) is is_link


def test_long_texts_need_no_backtracking() -> None:
    """Two hundred characters of the worst kind, a thousand words: no backtracking."""
    keys = [word_key(f"word{n}") for n in range(1000)]
    for text in ("a." * 100, "-" * 200, "a" * 200, "a b" * 66, "www" * 66):
        assert find_words(text, keys) == []
        has_link(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\u115f",
        "\u3164\uffa0",
        "\u2800",
        "\u200d",
        "\ufe0f",
        "\u0301",
        "\u034f",
    ],
)
def test_invisible_texts_are_empty(text: str) -> None:
    assert not has_visible_character(text)
    assert has_visible_character(text + "a")


def test_signs_and_all_alphabets_are_visible() -> None:
    for text in ("!", "\u2764\ufe0f", "\U0001f600", "\u5c71", "\u0928\u093f", "7"):
        assert has_visible_character(text)
        assert limit_marks(text) == text


def test_stacked_accents_are_cut() -> None:
    assert limit_marks("a" + "\u0301" * 9 + "b") == "a" + "\u0301" * 3 + "b"
    assert limit_marks("a\u0301\u200d\u0301\u0301\u0301") == "a\u0301\u200d\u0301\u0301"
    family = "\U0001f469\u200d\u2764\ufe0f\u200d\U0001f468"
    assert limit_marks(family) == family


def test_star_at_the_end_of_a_word() -> None:
    assert word_key("dung* ") == "dung*"
    assert word_key(" *dung") == "dung"
    assert find_words("a dun and a dunce", ["dung*"]) == []
    assert find_words("Dunghill", ["dung*"]) == ["dung*"]


def test_numbers_of_an_address_are_below_256() -> None:
    assert has_link("10.0.0.255")
    assert not has_link("10.0.0.256")


def test_marks_before_the_first_letter_are_limited() -> None:
    assert limit_marks("\u0301" * 5 + "a" + "\u0301" * 2, 3) == (
        "\u0301" * 3 + "a" + "\u0301" * 2
    )
    assert limit_marks("\u0301", 0) == ""


def test_word_with_a_letter_three_times_is_found() -> None:
    assert find_words("an xxx here", [word_key("xxx")]) == ["xxx"]
