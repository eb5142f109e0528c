"""Train the embedded model: python -m transactional_attention.training --out DIR."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from transactional_attention.errors import RetentionError
from transactional_attention.training.loop import train_model


def main() -> int:
    """Parse the options and train; 0 done, 2 bad input."""
    parser = argparse.ArgumentParser(prog="python -m transactional_attention.training")
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--resume", action="store_true", help="continue from the last checkpoint")
    parser.add_argument("--minutes", type=float, help="stop after so long (resumable)")
    parser.add_argument("--processes", type=int, default=1, help="of one thread each, 1 or 2")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--recipe", default="main", help="main, wide or unpruned")
    parser.add_argument("--init", type=Path, help="model folder to start from")
    parser.add_argument("--languages", type=Path, help="folder of the UDHR's translations")
    options = parser.parse_args()
    try:
        train_model(
            options.out,
            options.resume,
            options.minutes,
            options.processes,
            options.seed,
            recipe=options.recipe,
            init=options.init,
            languages=options.languages,
            report=lambda line: print(line, flush=True),
        )
    except RetentionError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
