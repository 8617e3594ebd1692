"""Sockets on races: the hub and everything that it sends."""
