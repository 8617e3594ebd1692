"""Live races: the hub, subscriptions and everything it sends to sockets."""
