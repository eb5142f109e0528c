"""The second embedded model, and retention gates of the first: the library finds this folder."""

from pathlib import Path

FOLDER = Path(__file__).parent
