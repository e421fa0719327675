"""Errors and warnings of the public face."""


class FramejitError(Exception):
    """Base of all errors that framejit raises on purpose."""


class GraphBreakError(FramejitError):
    """`fullgraph=True` and the function has a graph break; the message names it."""


class BackendError(FramejitError):
    """A backend is unknown or could not be loaded."""


class VerifyError(FramejitError):
    """`verify=True` and a kernel differs from the numpy backend."""


class FramejitWarning(UserWarning):
    """Base of all warnings that framejit issues on its own behalf."""


class PerformanceWarning(FramejitWarning):
    """Something works but costs time that a small change would save."""


class FallbackWarning(FramejitWarning):
    """Something runs eagerly that was asked to be compiled."""
