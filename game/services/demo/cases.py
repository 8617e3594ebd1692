"""One open moderation case for the demo: two reports and an automatic flag."""

from datetime import datetime, timedelta

from game.models import Account
from game.services.core.flags import flag_raise
from game.services.moderation.reports import ReportRequest, report_make

SUBJECT, REPORTERS = "Ike", ("Nettle", "Old Tom")
_WORDS = ("Plays faster than anybody can read.", "Too quick to be true.")


def demo_case(*, at: datetime) -> bool:
    """Open the case; False if the demo's players do not exist."""
    reporters = {
        account.name: account for account in Account.objects.filter(name__in=REPORTERS)
    }
    subject = Account.objects.filter(name=SUBJECT).first()
    if subject is None or len(reporters) < len(REPORTERS):
        return False
    for hours, (name, words) in enumerate(zip(REPORTERS, _WORDS, strict=True), 1):
        report_make(
            reporter=reporters[name],
            request=ReportRequest(
                player=SUBJECT, kind="cheating", place="profile", text=words
            ),
            at=at - timedelta(hours=hours),
        )
    return flag_raise(
        subject_id=subject.id,
        kind="too_fast",
        evidence={"moves": 41, "median_ms": 212},
        at=at,
        key="demo",
    )
