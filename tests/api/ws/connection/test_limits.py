"""The limits that `welcome` reports."""

from api.ws.connection.limits import limits


def test_limits_come_from_the_settings(settings):
    settings.WS_BURST = 3
    assert limits()["burst"] == 3
    assert limits()["frame_bytes"] == 4096
    assert limits()["unsent_bytes"] == 256 * 1024
