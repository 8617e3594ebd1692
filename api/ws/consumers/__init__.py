"""Websocket consumers: what happens between connect and disconnect."""
