"""Turns in a queue that several requesters share, so that none delays the others.

Jobs are taken by their turn. A requester's jobs get consecutive turns; the first one
gets the turn that is being served. So of two requesters who wait, each gets every
second job, however many jobs one of them has.
"""


def next_turn(*, served: int, own_last: int | None) -> int:
    """Return the turn of a requester's new job.

    `served` is the highest turn of any job taken so far, 0 before the first;
    `own_last` the highest turn the requester ever had, None for a new requester.
    """
    return served if own_last is None else max(served, own_last + 1)
