"""How fast thresher is, and next to what."""
