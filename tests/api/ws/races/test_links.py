"""Where a socket comes from: it links accounts, and counts sockets by client."""

from typing import Any

from game.models import Account
from tests.api.ws.conftest import People
from tests.api.ws.web_process import SocketClient, WebProcess, session_cookie
from tests.fixtures.races import member

HOME = "203.0.113.9"


def connect_to_race(
    web: WebProcess, race_id: str, account: Account, **headers: str
) -> Any:
    return SocketClient(
        web,
        f"races/{race_id}/",
        account=account,
        headers={
            "Cookie": session_cookie(account),
            "Origin": web.origin,
            "X-Forwarded-For": HOME,
            **headers,
        },
    )


def test_join_and_ready_over_a_socket_link_accounts_by_their_address(
    new_web: Any, people: People
) -> None:
    web = new_web(TRUSTED_PROXY_COUNT="1")
    dora, alt, emil = member("Dora"), member("Alt"), member("Emil")
    race_id = people.race(dora, rated=True)
    other = {"X-Forwarded-For": f"{HOME}, 198.51.100.1:5012"}
    with (
        connect_to_race(web, race_id, dora) as host,
        connect_to_race(web, race_id, alt, **{"User-Agent": "curl"}) as second,
        connect_to_race(web, race_id, emil, **other) as stranger,
    ):
        for client in (host, second, stranger):
            client.ask("hello")
        assert host.ask("race.ready")["t"] == "race.snapshot"
        refused = second.ask("race.join")
        assert (refused["t"], refused["d"]["code"]) == ("error", "race.linked_accounts")
        assert stranger.ask("race.join")["t"] == "race.snapshot"


def test_sockets_are_counted_by_the_clients_address_behind_a_proxy(
    new_web: Any, people: People
) -> None:
    web = new_web(TRUSTED_PROXY_COUNT="1", WS_SOCKETS_PER_ADDRESS="1")
    dora, emil = member("Dora"), member("Emil")
    race_id = people.race(dora, emil)
    # Addresses of this test alone: the counts outlive other tests' processes.
    here, there = ({"X-Forwarded-For": f"192.0.2.{n}"} for n in (1, 2))
    with (
        connect_to_race(web, race_id, dora, **here) as one,
        connect_to_race(web, race_id, emil, **there) as two,
    ):
        assert one.ask("hello")["t"] == "race.snapshot"
        assert two.ask("hello")["t"] == "race.snapshot"
        assert one.ask("resync")["t"] == "race.snapshot"
