"""One websocket connection: handshake, identity, limits, writing, shutdown."""
