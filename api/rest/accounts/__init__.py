"""REST views of accounts: sign-up, names, tokens, browsers, blocks."""
