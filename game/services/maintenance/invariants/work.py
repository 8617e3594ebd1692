"""I13: nothing is overdue."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from game.models import Entrant, MatchTicket, Race, Run
from game.services.maintenance.invariants.breach import Breach

# The tick runs every 15 s; one or two may be missed.
_LATE = timedelta(seconds=45)


def breaches(*, at: datetime) -> Iterator[Breach]:
    """Everything that is overdue at that instant."""
    late = at - _LATE
    for race_id in Race.objects.filter(due_at__lt=late).values_list("id", flat=True):
        yield Breach("I13", f"race {race_id}", "is overdue")
    turns = Entrant.objects.filter(turn_at__lt=late)
    for race_id, seat in turns.values_list("race_id", "seat"):
        yield Breach("I13", f"race {race_id} seat {seat}", "has a turn overdue")
    runs = Run.objects.filter(status=Run.Status.PLAYING, deadline_at__lt=late)
    for run_id in runs.values_list("id", flat=True):
        yield Breach("I13", f"run {run_id}", "is played past its deadline")
    for ticket in MatchTicket.objects.filter(accept_by__lt=late, race=None):
        yield Breach("I13", f"ticket {ticket.id}", "has an offer that ran out")
    live = Entrant.objects.filter(is_live=True).exclude(race__closed_at=None)
    for race_id, seat in live.values_list("race_id", "seat"):
        yield Breach("I13", f"race {race_id} seat {seat}", "is live in a closed race")
