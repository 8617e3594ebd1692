"""The entry points for clients: REST and websockets. Owns no table and no rule."""
