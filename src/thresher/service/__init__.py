"""The learning service: models that predict and learn over HTTP, and forget nothing they said."""
