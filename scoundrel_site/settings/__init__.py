"""Settings: `base` is common; `dev`, `test` and `prod` each add what differs."""
