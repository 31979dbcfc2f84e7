"""Who runs in a race when nobody is named; imports nothing, so that help can list them."""

from __future__ import annotations

#: What the commonest label is called, which every learner has to beat.
BASELINE = "commoner label"
#: The one that needs no tuning.
COMMITTEE = "committee"

_FOR_REAL_DATA = (
    "passive_aggressive:bias=yes",
    "arow:bias=yes",
    "adagrad:bias=yes",
    COMMITTEE,
)
#: The learners whose theorems the advice compares, and those for real data.
USUAL_LEARNERS = (
    "perceptron",
    "perceptron:bias=yes",
    "winnow",
    "signed_winnow",
    "balanced_winnow",
    "elimination",
    *_FOR_REAL_DATA,
)
#: The same with several classes; of a two-class learner there is one for each class.
USUAL_MULTICLASS_LEARNERS = (
    "multiclass_perceptron",
    "multiclass_passive_aggressive",
    "perceptron:bias=yes",
    *_FOR_REAL_DATA,
)
#: Variants that forget, for targets that move: the last 100 or 1,000 updates count most, or no
#: weight falls so low that it could not come back.
TRACKING_LEARNERS = (
    "perceptron:bias=yes,decay=1/100",
    "perceptron:bias=yes,decay=1/1000",
    "winnow:floor=1/4",
)
