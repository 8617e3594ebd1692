"""Websocket side of the lobby."""
