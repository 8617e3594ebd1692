"""The limits that `welcome` reports."""

from api.ws.connection.socket_limits import socket_limits


def test_limits_come_from_the_settings(settings):
    settings.WS_BURST = 3
    assert socket_limits()["burst"] == 3
    assert socket_limits()["frame_bytes"] == 4096
    assert socket_limits()["unsent_bytes"] == 256 * 1024
