"""The doors for programs and the page: REST and websockets. Owns no table, no rule."""
