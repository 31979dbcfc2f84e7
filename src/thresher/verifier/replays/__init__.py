"""Each algorithm played again, as its paper prints it: one file a family, nothing compiled."""
