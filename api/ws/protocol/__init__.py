"""Websocket messages: declarations, frames, generated files."""
