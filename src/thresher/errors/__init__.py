"""Every error a user can cause: what, where, what was found, what to do.

Each has a `code`, its details as `fields`, and a remedy in Python's terms; see `ThresherError`.
"""

from thresher.errors.cluster import ClusterError
from thresher.errors.concepts import (
    ClassTooLargeError,
    ConceptError,
    SearchBudgetError,
    TableTooLargeError,
    TooManyConjunctionsError,
)
from thresher.errors.error import Hint, ThresherError
from thresher.errors.evidence import (
    ArithmeticModeError,
    AuditError,
    BeyondReachError,
    CertificateError,
    ComparatorError,
    HypothesisError,
    NotCertifiableError,
    RunMismatchError,
    SignatureError,
)
from thresher.errors.learners import (
    BusyLearnerError,
    JournalTruncatedWarning,
    NameTableFullError,
    ParameterError,
    SortedRowsWarning,
    StateError,
    UnknownLearnerError,
)
from thresher.errors.models import (
    ExportError,
    MissingModelError,
    ModelError,
    ModelFileError,
    NotStorableError,
    RequestError,
    ResumeError,
)
from thresher.errors.rows import (
    DimensionError,
    FeatureRangeError,
    HeavyRowError,
    ImportanceError,
    LabelError,
    RowError,
    UnknownPointError,
    UnsoundBatchError,
    VariableRangeError,
)
from thresher.errors.service import ServiceError, StoreError
from thresher.errors.streams import (
    BadLineError,
    BinaryFileError,
    FormatError,
    MissingPackageError,
    NotWritableError,
    OtherFormatError,
    OutputError,
    SourceError,
    StreamFaultError,
)

__all__ = [
    "ArithmeticModeError",
    "AuditError",
    "BadLineError",
    "BeyondReachError",
    "BinaryFileError",
    "BusyLearnerError",
    "CertificateError",
    "ClassTooLargeError",
    "ClusterError",
    "ComparatorError",
    "ConceptError",
    "DimensionError",
    "ExportError",
    "FeatureRangeError",
    "FormatError",
    "HeavyRowError",
    "Hint",
    "HypothesisError",
    "ImportanceError",
    "JournalTruncatedWarning",
    "LabelError",
    "MissingModelError",
    "MissingPackageError",
    "ModelError",
    "ModelFileError",
    "NameTableFullError",
    "NotCertifiableError",
    "NotStorableError",
    "NotWritableError",
    "OtherFormatError",
    "OutputError",
    "ParameterError",
    "RequestError",
    "ResumeError",
    "RowError",
    "RunMismatchError",
    "SearchBudgetError",
    "ServiceError",
    "SignatureError",
    "SortedRowsWarning",
    "SourceError",
    "StateError",
    "StoreError",
    "StreamFaultError",
    "TableTooLargeError",
    "ThresherError",
    "TooManyConjunctionsError",
    "UnknownLearnerError",
    "UnknownPointError",
    "UnsoundBatchError",
    "VariableRangeError",
]

# Where they are imported from is also what a traceback calls them.
for _name in __all__:
    globals()[_name].__module__ = __name__
