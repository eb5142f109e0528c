"""The needle's table by depth: every fifth trial is of one depth."""

from reproduce_rows import row
from ta_lab.experiments.plan import Arm
from ta_lab.experiments.rendering import render_with_depths


def test_a_depth_counts_its_own_trials():
    rows = [
        row("needle", "b" * 10, Arm("full")),
        row("needle", "bk--abk--a"),  # two rounds through the five depths
        row("needle", "-" * 10, Arm("ta", 32)),
    ]
    told = render_with_depths({"experiment": "needle", "rows": rows})
    (line,) = [line for line in told.splitlines() if line.startswith("| ta |") and " / " in line]
    cells = [cell.strip() for cell in line.strip("|").split("|")][1:]
    shares = [[part.split(" [")[0] for part in cell.split(" / ")] for cell in cells]
    assert shares == [["100", "100"], ["100", "0"], ["0", "0"], ["0", "0"], ["0", "100"]]
    assert told.splitlines()[-1].startswith("Judgement")
