"""Management commands, and what they share: backups, child processes, Valkey."""
