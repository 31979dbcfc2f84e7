"""What people read about a run: races between learners, advice, the table of a lecture."""
