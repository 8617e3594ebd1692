"""One websocket connection: handshake, identity, limits, writing frames, counting."""
