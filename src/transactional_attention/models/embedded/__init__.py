"""The small language models that ship with the package.

`load_embedded` needs no network: the weights, the tokenizer and a card with checksums lie in
`weights/<name>/`. `card` reads what was measured when the weights were made.
"""

from .loading import SHIPPED, card, folder, load_embedded

__all__ = ["SHIPPED", "card", "folder", "load_embedded"]
