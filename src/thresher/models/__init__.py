"""The application without a terminal: models, and what is done with them."""
