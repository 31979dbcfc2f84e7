"""Where bytes come from; the only place that knows what kind of machine this is."""
