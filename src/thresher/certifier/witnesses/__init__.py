"""The search for witnesses, in floating point: what it finds is measured exactly elsewhere.

`search` says which file looks for which algorithm; `given` reads a witness that the caller
brings along. The rest solves: margins in the 2-norm and the 1-norm, covers, rounding.
"""
