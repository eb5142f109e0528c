"""Commands of ``ta`` that measure, train and report."""
