"""Which accounts are linked, from their marks."""

from game.contest.links import SAME_PERSON, AccountLinks, AccountMark, Tie

LINKS = AccountLinks(
    [
        AccountMark("ada", Tie.BROWSER, "b1"),
        AccountMark("ada", Tie.ADDRESS, "a1"),
        AccountMark("bob", Tie.BROWSER, "b1"),
        AccountMark("bob", Tie.ADDRESS, "a2"),
        AccountMark("cleo", Tie.ADDRESS, "a1"),
        AccountMark("cleo", Tie.MAILBOX, "m1"),
        AccountMark("dan", Tie.MAILBOX, "m1"),
        AccountMark("dan", Tie.ADDRESS, "a1"),
        # The same text as another kind of mark is not the same mark.
        AccountMark("eve", Tie.BROWSER, "a1"),
    ]
)


def test_between_names_all_that_two_share() -> None:
    assert LINKS.between("ada", "bob") == {Tie.BROWSER}
    assert LINKS.between("cleo", "dan") == {Tie.MAILBOX, Tie.ADDRESS}
    assert LINKS.between("dan", "ada") == {Tie.ADDRESS}
    for other in ("ada", "eve", "nobody"):
        assert LINKS.between("ada", other) == frozenset()
    assert LINKS.between("nobody", "ada") == frozenset()


def test_linked_to_can_be_limited_to_some_ties() -> None:
    assert LINKS.linked_to("ada") == {"bob", "cleo", "dan"}
    assert LINKS.linked_to("ada", SAME_PERSON) == {"bob"}
    assert LINKS.linked_to("cleo", SAME_PERSON) == {"dan"}
    assert LINKS.linked_to("eve") == LINKS.linked_to("nobody") == frozenset()


def test_among_names_what_any_two_share() -> None:
    assert LINKS.among(["ada", "bob", "eve"]) == {Tie.BROWSER}
    assert LINKS.among(["bob", "cleo", "eve"]) == frozenset()
    assert LINKS.among(["ada", "ada"]) == frozenset()
    assert LINKS.among(["ada", "bob", "cleo", "dan"]) == set(Tie)


def test_groups_have_everybody_of_one_mark() -> None:
    assert LINKS.groups(Tie.ADDRESS) == [{"ada", "cleo", "dan"}]
    assert LINKS.groups(Tie.MAILBOX) == [{"cleo", "dan"}]
    assert AccountLinks().groups(Tie.BROWSER) == []
