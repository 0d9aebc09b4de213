"""What is kept of a game: rows that no power cut takes, how they come back, and what is made of them."""
