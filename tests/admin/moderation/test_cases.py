"""Cases, acts and appeals on the moderation desk."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from game.models import Account, Act, Appeal, Case
from game.services.core.flags import flag_raise
from game.services.moderation.appeals import appeal_make
from game.services.runs.runs import practice_start
from tests.admin.conftest import page, refused_with, text_of
from tests.fixtures.accounts import person
from tests.fixtures.moderation import do, report, staff
from tests.fixtures.races import now, play_all, start_race


@pytest.fixture
def rex(db: None) -> Account:
    """The subject of the case."""
    return person("Rex")


@pytest.fixture
def case(rex: Account, eve: Account) -> Case:
    """A case with a report by Eve and a flag."""
    report(eve, rex, "cheating", text="They never err.")
    flag_raise(subject_id=rex.id, kind="too_fast", evidence={"ms": 41}, at=now())
    return Case.objects.get()


def send(client: Client, address: str, do_: str, **fields: Any) -> Any:
    """Send a form of a page."""
    sent = {f"{do_}-{name}": value for name, value in fields.items()}
    return client.post(address, {"do": do_, **sent})


def test_case_list_is_sorted_by_weight_and_filtered(
    mona_client: Client, case: Case, eve: Account
) -> None:
    light = person("Ulf")
    report(eve, light, "name")
    shown = text_of(mona_client.get(page("case")))
    assert shown.index("Rex") < shown.index("Ulf")
    assert "Rex" not in text_of(mona_client.get(f"{page('case')}?kind__exact=name"))
    assert "Rex" not in text_of(mona_client.get(f"{page('case')}?state=other"))
    assert "Ulf" not in text_of(mona_client.get(f"{page('case')}?q=rex"))


def test_search_keeps_the_filter(mona_client: Client, case: Case) -> None:
    shown = text_of(mona_client.get(f"{page('case')}?kind__exact=cheating&q=re"))
    assert 'type="hidden" name="kind__exact" value="cheating"' in shown
    assert "Rex" in shown


def test_reported_targets_are_suggested(
    mona_client: Client, rex: Account, eve: Account
) -> None:
    race_id = start_race([rex, eve])
    report(eve, rex, place="race", target=race_id)
    shown = text_of(mona_client.get(page("case", Case.objects.get().id)))
    assert f'<option value="{race_id}">' in shown


def test_case_page_shows_reports_and_flags(mona_client: Client, case: Case) -> None:
    shown = text_of(mona_client.get(page("case", case.id)))
    for words in ("They never err.", "Too fast", "41", "Timeline", "Linked accounts"):
        assert words in shown


def test_act_from_a_case_is_done_and_undone(
    mona_client: Client, case: Case, rex: Account
) -> None:
    address = page("case", case.id)
    sent = {"kind": "suspend", "reason": "fair_play", "length": "86400"}
    answer = send(mona_client, address, "act", **sent, text="A day off.", note="n")
    assert answer.status_code == 302
    act = Act.objects.get()
    assert (act.case, act.subject, act.length_s) == (case, rex, 86400)
    assert "Suspend is in force." in text_of(mona_client.get(address))
    act_page = page("act", act.id)
    assert "1 day" in text_of(mona_client.get(act_page))
    back = send(mona_client, act_page, "undo", reason="fault", text="", note="")
    assert back.status_code == 302
    act.refresh_from_db()
    assert act.state == "undone"
    shown = text_of(mona_client.get(act_page))
    assert "readmit" in shown
    assert "In the log" in shown


def test_undoing_the_closing_act_reopens_the_case(
    mona_client: Client, case: Case
) -> None:
    address = page("case", case.id)
    send(mona_client, address, "act", kind="close", reason="fair_play")
    case.refresh_from_db()
    assert case.outcome == "upheld"
    assert 'name="do"' not in text_of(mona_client.get(address))
    send(mona_client, page("act", Act.objects.get().id), "undo", reason="other")
    case.refresh_from_db()
    assert case.closed_at is None


@pytest.mark.parametrize(
    ("kind", "length", "words"),
    [("ban", "", "Choose how long."), ("", "", "This field is required.")],
)
def test_invalid_field_has_an_error(
    mona_client: Client, case: Case, kind: str, length: str, words: str
) -> None:
    answer = send(
        mona_client,
        page("case", case.id),
        "act",
        kind=kind,
        reason="fair_play",
        length=length,
    )
    assert words in text_of(answer)
    assert not Act.objects.exists()


def test_length_is_ignored_for_acts_without_length(
    mona_client: Client, case: Case
) -> None:
    send(
        mona_client,
        page("case", case.id),
        "act",
        kind="warn",
        reason="language",
        length="3600",
    )
    assert Act.objects.get().length_s is None


def test_refusals_are_shown_with_code(
    mona_client: Client, case: Case, rex: Account
) -> None:
    address = page("case", case.id)
    wanted = {"reason": "fair_play", "target": "nowhere"}
    answer = send(mona_client, address, "act", kind="void_run", **wanted)
    assert (answer.status_code, refused_with(answer)) == (404, "run.not_found")
    answer = send(mona_client, address, "act", kind="delete_text", **wanted)
    assert refused_with(answer) == "message.not_found"
    answer = mona_client.post(address, {"do": "nothing"})
    assert (answer.status_code, refused_with(answer)) == (409, "form.unknown")
    milo = staff("Minna")
    answer = send(
        mona_client, page("account", milo.id), "act", kind="warn", reason="other"
    )
    assert (answer.status_code, refused_with(answer)) == (403, "act.rank")
    assert mona_client.get(page("case", "nothing")).status_code == 404


def test_long_ban_is_confirmed_by_another_moderator(
    mona_client: Client, milo_client: Client, case: Case, rex: Account
) -> None:
    sent = {"kind": "ban", "reason": "fair_play", "length": "permanent"}
    send(mona_client, page("case", case.id), "act", **sent)
    act = Act.objects.get()
    assert act.state == "proposed"
    assert "Rex" in text_of(milo_client.get("/desk/"))
    own = send(mona_client, page("act", act.id), "confirm")
    assert (own.status_code, refused_with(own)) == (403, "act.second_same")
    assert send(milo_client, page("act", act.id), "confirm").status_code == 302
    act.refresh_from_db()
    assert act.state == "in_force"


def test_proposal_is_declined_with_note(
    mona_client: Client, milo_client: Client, rex: Account
) -> None:
    send(
        mona_client,
        page("account", rex.id),
        "act",
        kind="mark_cheat",
        reason="fair_play",
    )
    act = Act.objects.get()
    send(milo_client, page("act", act.id), "decline", note="Too little.")
    act.refresh_from_db()
    assert (act.state, act.note) == ("declined", "Too little.")


@pytest.mark.parametrize(
    ("outcome", "state"), [("lifted", "undone"), ("upheld", "in_force")]
)
def test_appeal_is_decided_by_another_moderator(
    mona: Account,
    mona_client: Client,
    milo_client: Client,
    rex: Account,
    outcome: str,
    state: str,
) -> None:
    act = do(mona, "mute", rex, length=timedelta(days=1))
    appeal = appeal_make(account_id=rex.id, act_id=act.id, text="Not me.", at=now())
    address = page("appeal", appeal.id)
    assert "Rex" in text_of(milo_client.get(page("appeal")))
    assert "another moderator must decide the appeal" in text_of(
        mona_client.get(address)
    )
    own = send(mona_client, address, "decide", outcome=outcome, answer="")
    assert (own.status_code, refused_with(own)) == (403, "appeal.own_decision")
    assert "Not me." in text_of(milo_client.get(address))
    send(milo_client, address, "decide", outcome=outcome, answer="Looked at.")
    act.refresh_from_db()
    decided = Appeal.objects.get()
    assert (act.state, decided.outcome, decided.answer) == (
        state,
        outcome,
        "Looked at.",
    )
    assert "Rex" not in text_of(milo_client.get(page("appeal")))


def test_entrant_is_disqualified_from_the_race_page(
    mona_client: Client, rex: Account, eve: Account
) -> None:
    race_id = start_race([rex, eve])
    play_all(race_id, [rex, eve])
    address = page("race", race_id)
    sent = {"reason": "collusion", "subject": rex.id}
    assert (
        send(mona_client, address, "act", kind="disqualify", **sent).status_code == 302
    )
    act = Act.objects.get()
    assert (act.kind, act.subject, act.target) == ("disqualify", rex, race_id)
    assert "disqualif" in text_of(mona_client.get(address))


def test_helper_is_offered_only_their_acts(
    helen_client: Client, case: Case, rex: Account
) -> None:
    shown = text_of(helen_client.get(page("case", case.id)))
    assert 'value="mute"' in shown
    assert 'value="ban"' not in shown
    sent = {"kind": "ban", "reason": "fair_play", "length": "3600"}
    assert "Select a valid choice" in text_of(
        send(helen_client, page("case", case.id), "act", **sent)
    )
    sent = {"kind": "mute", "reason": "spam", "length": str(30 * 86400)}
    answer = send(helen_client, page("case", case.id), "act", **sent)
    assert (answer.status_code, refused_with(answer)) == (403, "staff.role")


def test_texts_of_players_are_escaped(mona_client: Client, rex: Account) -> None:
    report(person("Zoe"), rex, "other", text="<script>alert(1)</script>")
    shown = text_of(mona_client.get(page("case", Case.objects.get().id)))
    assert "<script>alert" not in shown
    assert "&lt;script&gt;alert" in shown


def test_case_page_shows_dates(mona_client: Client, case: Case) -> None:
    assert f"{timezone.now():%Y-%m-%d}" in text_of(
        mona_client.get(page("case", case.id))
    )


def test_helper_gets_no_forms_of_a_proposal_and_no_log(
    mona: Account, helen_client: Client, mona_client: Client, rex: Account
) -> None:
    proposal = page("act", do(mona, "mark_cheat", rex).id)
    assert 'name="do"' not in text_of(helen_client.get(proposal))
    warning = page("act", do(mona, "warn", rex).id)
    assert "In the log" not in text_of(helen_client.get(warning))
    assert "In the log" in text_of(mona_client.get(warning))


def test_helper_gets_no_form_on_a_run(
    helen_client: Client, mona_client: Client, rex: Account
) -> None:
    run = practice_start(account=rex, at=now(), seed="a")
    address = page("run", run.id)
    assert 'name="do"' not in text_of(helen_client.get(address))
    assert 'name="do"' in text_of(mona_client.get(address))
