"""Services of analysis: reviews, solutions and difficulty."""
