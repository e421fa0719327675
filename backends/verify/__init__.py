"""`verify=True`: compares the kernel with the numpy backend, on copies, before each launch.

The check is invisible: the kernel writes to copies, objects are changed only by the launch that
follows, and called functions are pure. A kernel that bails is not judged, because eager then
answers.
"""

from .check import Check

__all__ = ["Check"]
