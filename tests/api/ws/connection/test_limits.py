"""Limits of one process."""

from api.ws.connection.limits import Crowd, limits


def test_a_crowd_counts_by_name():
    crowd = Crowd()
    assert [crowd.enter("ada", 2) for _ in range(3)] == [True, True, False]
    assert crowd.enter("bob", 2)
    crowd.leave("ada")
    assert crowd.enter("ada", 2)


def test_the_limits_are_told(settings):
    settings.WS_BURST = 3
    assert limits()["burst"] == 3
    assert limits()["frame_bytes"] == 4096
    assert limits()["unsent_bytes"] == 256 * 1024
