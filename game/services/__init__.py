"""The only writers. A service is one act: its refusals, then one transaction."""
