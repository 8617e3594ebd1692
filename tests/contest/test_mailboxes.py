"""Which e-mail addresses lead to the same mailbox."""

import pytest

from game.contest.mailboxes import mailbox_of

SAME = [
    (
        "ada@example.org",
        "Ada@Example.ORG",
        "ada+1@example.org",
        " ada+a+b@example.org.",
    ),
    (
        "adal@gmail.com",
        "A.da.L+x@gmail.com",
        "adal@googlemail.com",
        '"adal"@gmail.com',
        '"a\\d.al+x"@gmail.com',
    ),
    ("adal@proton.me", "a_da-l@protonmail.com", "adal+1@pm.me"),
    ("ada.l@icloud.com", "ada.l+x@me.com", "ADA.L@mac.com"),
    ("ada.l@yandex.ru", "ada-l@ya.ru", "ada.l@yandex.kz", "adal@yandex.com.tr"),
    ("ada@yahoo.com", "ada-shop@yahoo.com"),
    ("ada@yahoo.co.uk", "ada-shop@yahoo.co.uk"),
    ("ada@fastmail.com", "ada+x@fastmail.com", "shop@ada.fastmail.com"),
    ("ada@bücher.example", "ada@xn--bcher-kva.example"),
    ("+ada@example.org", "+ADA@example.org"),
]


@pytest.mark.parametrize("addresses", SAME, ids=lambda found: found[0])
def test_spellings_of_one_mailbox(addresses: tuple[str, ...]) -> None:
    assert len({mailbox_of(one) for one in addresses}) == 1


def test_different_mailboxes() -> None:
    others = [
        *("ada.l@example.org", "adal@example.org", "ada-x@example.org"),
        *("adal@gmail.com", "adal@proton.me", "+x@example.org", "+y@example.org"),
        *('"', '"@example.org', "ada@a..example", "ada@fastmail.com", "@x.fastmail.fm"),
    ]
    assert len({mailbox_of(one) for one in others}) == len(others)
    assert len({mailbox_of(found[0]) for found in SAME}) == len(SAME)
