"""The websocket door: live races and the lobby, for browsers and for bots."""
