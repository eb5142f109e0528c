"""kvpress: sponsorship for its presses, and its presses as scorers of this library.

Import it by name (``transactional_attention.engines.kvpress``): nothing else here needs kvpress.

Raises:
    UnsupportedError: kvpress is missing, or of a version that was not checked.
"""

from importlib.metadata import PackageNotFoundError, version

from ...errors import UnsupportedError, install_extra

SUPPORTED = "0.5.5"
REMEDY = install_extra("kvpress")

try:
    installed = version("kvpress")
except PackageNotFoundError:
    raise UnsupportedError(f"kvpress is not installed: {REMEDY}") from None
if installed != SUPPORTED:
    raise UnsupportedError(f"kvpress {installed} is not supported, {SUPPORTED} is: {REMEDY}")

from .adapter import PressScorer, use_press  # noqa: E402  (after the check)
from .sponsored import SponsoredPress  # noqa: E402

__all__ = ["PressScorer", "SponsoredPress", "use_press"]
