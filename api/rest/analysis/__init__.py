"""REST views of analysis: reviews, solutions and difficulty."""
