"""The game: its rules, its contests, its tables, its services and their doors."""
