"""From a replayed run to theorems with measured quantities in them, all of them exact.

The certifier asks here what a witness is worth; the verifier asks again, for the witness in
the certificate, and compares. Margins and losses are taken over all rounds, not over
mistakes alone: a comparator found after the run could otherwise fit itself to the mistakes
and prove nothing.
"""
