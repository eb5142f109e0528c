"""Values that the text takes back where they stand, and what stands after one struck out."""

from __future__ import annotations

import pytest

from found_values import anchors_of

OLD, NEW = "QX7R-41KD", "TB2M-90ZW"


def confidences(text: str) -> dict[str, float]:
    """Confidence of each value that is found, by its text."""
    found = anchors_of(text)
    return {text[a.value.start : a.value.end]: a.confidence for a in found}


@pytest.mark.parametrize(
    "text",
    [
        f"The gate code is {NEW}, not {OLD}.",
        f"gate code: ~~{OLD}~~ {NEW}",
        f"The gate code is <del>{OLD}</del> <ins>{NEW}</ins>.",
        f"old: {OLD}\nnew: {NEW}\n",
        f"Gate code {OLD} has been superseded by gate code {NEW}.",
        f"For {OLD} read {NEW} as the gate code.",
        f"Replace “{OLD}” with “{NEW}” as the gate code.",
        f"gate code {OLD} (until March), gate code {NEW} (since April)",
    ],
)
def test_the_value_that_holds_is_surer(text: str) -> None:
    found = confidences(text)
    assert found.get(NEW, 0.0) > found.get(OLD, 0.0)


@pytest.mark.parametrize("struck", ["~~922590~~ ", "<del>922590</del> ", "<s>922590</s> <ins>"])
def test_a_label_reaches_over_what_is_struck_out(struck: str) -> None:
    text = f"Her extension is {struck}170728."
    found = anchors_of(text)
    value = next(a for a in found if text[a.value.start : a.value.end] == "170728")
    assert "extension" in text[value.label.start : value.label.end]
    assert "922590" not in text[value.label.start : value.label.end]


@pytest.mark.parametrize(
    "text",
    [
        "See Whitcombe (1998, pp. 114-132) for a fuller account of the dock.",
        "He was killed in the war of 1914-18, at the gate of a farm.",
        "The regiment reached 450 by noon and got 230 back in the evening.",
        "There were 300 at the gate and some 250 in the house.",
        "The minimum must be 180, and the maximum has to be 640.",
        "Cf. Plato, Republic 514a-520a, and Murdoch 1977, 41-3.",
        "In game 3 Petrov played 14...Qe7, and after 22.Rxd5 he resigned.",
        "In base 2 the number ten is written 1010, and in base 8 it is 12.",
    ],
)
def test_quantities_are_no_values(text: str) -> None:
    assert not confidences(text)


def test_a_code_may_look_like_a_year() -> None:
    assert confidences("The door code is 1987.")["1987"] > confidences("The year is 1987.").get(
        "1987", 0.0
    )
