"""Each module is one command of manage.py."""
