"""Time that grows with a text as the text does."""

import gc
import time


def assert_linear(read, piece, size, *, rounds=8):
    """``read`` takes a text of eight times ``size`` characters, all of one piece, about eight
    times as long.

    What patterns do inside cannot be counted, so it is timed: as a ratio, each round with a text
    not yet seen, and without the collector, whose passes cost what other tests left in memory.
    Quadratic work takes 64 times as long and fails every round; linear work needs a quiet one.
    """

    def grows(number: int) -> bool:
        small, large = ((piece * count)[:count] for count in (size + number, 8 * (size + number)))
        return seconds(read, large) < 20 * max(seconds(read, small), 0.0005)

    read((piece * size)[:size])
    assert any(grows(number) for number in range(1, rounds + 1))


def seconds(read, text):
    collecting = gc.isenabled()
    gc.disable()
    try:
        begun = time.process_time()
        read(text)
        return time.process_time() - begun
    finally:
        if collecting:
            gc.enable()
