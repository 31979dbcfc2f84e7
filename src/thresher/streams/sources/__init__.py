"""Where bytes come from and go to; the only place that knows what kind of machine this is."""
