"""Signing up and in, under /_allauth/: allauth's headless views, our terms.

allauth owns the flows, their addresses and the shapes of their answers. Here is what
we add: throttles in front (`door`), names, guests and equal treatment of known and
unknown e-mails (`adapters`, `views`), and one hash for each attempt (`backends`).
"""
