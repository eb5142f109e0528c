"""Time that grows with a text as the text does."""

import time


def assert_linear(read, piece, size):
    """``read`` takes a text of eight times ``size`` characters, all of one piece, in little more
    than eight times as long; quadratic work would take 64 times."""

    def seconds(count: int) -> float:
        begun = time.process_time()
        read((piece * count)[:count])
        return time.process_time() - begun

    assert seconds(8 * size) < 12 * seconds(size) + 0.5
