"""Speed and memory beside peers, interleaved in one run: medians, ranges, ratios."""
