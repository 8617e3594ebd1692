"""The log's hash chain finds rows that were changed, removed, added or moved."""

from game.contest.chain import (
    GENESIS_HASH,
    ChainEntry,
    SignatureCheck,
    entry_hash,
    find_faults,
)


def chain(n: int) -> list[ChainEntry]:
    links, previous = [], GENESIS_HASH
    for number in range(1, n + 1):
        facts = {"verb": f"act {number}"}
        links.append(
            ChainEntry(number, facts, previous, entry_hash(number, facts, previous))
        )
        previous = links[-1].hash
    return links


def found(links: list[ChainEntry], *, count: int, head: str) -> list[int]:
    return [one.number for one in find_faults(links, count=count, head=head)]


def test_untouched_log_has_no_breaks() -> None:
    links = chain(4)
    assert found(links, count=4, head=links[-1].hash) == []
    assert found([], count=0, head=GENESIS_HASH) == []


def test_changed_row_is_found() -> None:
    links = chain(4)
    head = links[-1].hash
    links[1] = links[1]._replace(facts={"verb": "another"})
    assert found(links, count=4, head=head) == [2]
    # Also if its own hash was recomputed.
    fitted = entry_hash(2, links[1].facts, links[1].previous)
    links[1] = links[1]._replace(hash=fitted)
    assert found(links, count=4, head=head) == [3]


def test_missing_row_is_found() -> None:
    links = chain(4)
    head = links[-1].hash
    assert found(links[:1] + links[2:], count=4, head=head) == [2]
    assert found(links[:3], count=4, head=head) == [3]
    assert found(links[1:], count=4, head=head) == [1]


def test_reordered_rows_are_found() -> None:
    one, two, three = chain(3)
    swapped = [one, three._replace(number=2), two._replace(number=3)]
    assert found(swapped, count=3, head=three.hash)


def test_added_row_is_found() -> None:
    links = chain(3)
    assert found(links, count=2, head=links[1].hash) == [3]


def signed(link: ChainEntry, key: str = "k") -> ChainEntry:
    return link._replace(key=key, signature=f"{key} signed {link.hash}")


def badly_signed(links: list[ChainEntry]) -> list[tuple[int, str]]:
    check = SignatureCheck(
        {"k", "old"}, lambda key, hashed, sig: sig == f"{key} signed {hashed}"
    )
    head = links[-1].hash if links else GENESIS_HASH
    faults = find_faults(links, count=len(links), head=head, signatures=check)
    return [(one.number, one.text) for one in faults]


def test_signatures_begin_once_and_stay() -> None:
    a, b, c = chain(3)
    assert badly_signed([]) == []
    assert badly_signed([a, b, c]) == []  # from before the log was signed
    assert badly_signed([a, signed(b), signed(c)]) == []
    assert badly_signed([signed(a), signed(b, "old"), signed(c)]) == []
    assert badly_signed([signed(a), b, signed(c)]) == [(2, "is not signed")]
    assert badly_signed([signed(a), signed(b), c]) == [(3, "is not signed")]


def test_forged_signatures_are_found() -> None:
    a, b, c = (signed(link) for link in chain(3))
    assert badly_signed([a, b._replace(signature=a.signature), c]) == [
        (2, "has a wrong signature")
    ]
    unknown = "is signed by an unknown key, mine"
    assert badly_signed([a, signed(b, "mine"), c]) == [(2, unknown)]
