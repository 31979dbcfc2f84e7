"""What all learners stand on: their contract, their state, and the rounds they play."""
