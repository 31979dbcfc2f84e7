"""From a finished run to a certificate: a replay, and a search for the comparator to quote."""
