"""Sign-up and sign-in under /_allauth/, by allauth's headless views.

allauth defines the flows, their routes and the shape of their responses. This package
adds throttles and body checks (`guard`), names and guests (`adapters`), equal responses
for known and unknown e-mails (`views`), one password hash for each attempt (`backends`)
and a log (`audit_signals`).
"""
