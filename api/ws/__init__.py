"""The websocket API: live races and the lobby, for browsers and for bots."""
