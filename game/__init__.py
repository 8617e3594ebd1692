"""The game: rules, contests, tables, services, and entry points other than REST and
websockets.
"""
