"""Services of maintenance: what runs periodically, and checks of everything stored."""
