"""Services of moderation: reports, flags, acts, appeals, roles and the audit log.

`acts` is the only way to do or undo an act. The REST API (players) and the admin site
(staff) call the same services.
"""
