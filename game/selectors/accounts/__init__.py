"""Selectors of accounts: sign-up, names, tokens, browsers, blocks."""
