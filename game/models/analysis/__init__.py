"""Tables of analysis: reviews, solutions and difficulty."""
