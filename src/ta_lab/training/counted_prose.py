"""Prose that counts and dates and states nothing to keep: years, sums, distances, scores.

The character-level detector learns from it that a number is not yet a value.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from .values import MONTHS

NAMES = (
    "Alder Bexley Corran Dunmore Eastvale Fenwick Garrow Halden Ironbridge Jarrow Kelso Lorne "
    "Marlow Norwood Ormond Penrith Quinton Rowland Selby Thornton Ulver Varley Weston Yarrow"
).split()
SENTENCES = (
    "He was born in {year} in {name} and moved to {name} in {year}.",
    "On {date} the line from {name} to {name} was opened, and in {year} it was closed again.",
    "Between {year} and {year} the town grew from {many} to {many} people.",
    "The bridge was built from {year} to {year} at a cost of {sum}.",
    "She played {few} games in the {year}-{two} season and scored {few} goals.",
    "The river is {length} long and falls {height} on its way to {name}.",
    "By the {decade}s the works employed {many} men; by {year} only {few} were left.",
    "In {year}, after {few} years as editor, she left the paper for {name}.",
    "The storm came ashore near {name} on {date}, with winds of {speed}.",
    "At {clock} on {date} the first train left for {name}.",
    "The album sold {many} copies in its first week and reached number {few} in {month} {year}.",
    "{name} won {few}-{few} at home and lost {few}-{few} away.",
    "The company made {sum} in {year}, {percent} more than in {year}.",
    "The vote was {few} to {few}; in {year} it had been {few} to {few}.",
    "His second book ({year}) was read more widely than the first ({year}).",
    "About {percent} of the {many} students live within {length} of the college.",
    "The regiment lost {few} officers and {many} men at {name} on {date}.",
    "The tower, {height} high, was finished in the {decade}s and burned down in {year}.",
    "From {date} until {date} the gallery showed {few} of his paintings.",
    "The act of {year} was amended in {year} and repealed on {date}.",
    "Rents rose by {percent} in {year} and by {percent} the year after, to {sum} on average.",
    "The species was described in {year}; adults are {small} long and weigh {weight}.",
    "She ran the distance in {run}, {few} seconds faster than in {year}.",
    "The mine closed in {month} {year} after producing {many} tonnes in {few} years.",
    "The first edition of {many} copies was sold out by {date}.",
    "It rained on {few} days in {month}, and {small} fell on {date} alone.",
    "The house at {name} was bought for {sum} in {year} and sold for {sum} in {year}.",
    "He scored {few} of the team's {few} points before he was hurt in the {few}th minute.",
    "Mix {weight} of flour with {spoon} of salt, and bake it for {few} minutes at {heat}.",
    "The road climbs from {height} to {height} in {length}.",
    "See chapter {few}, pages {few}-{many}, and the notes of {year}.",
    "The siege lasted from {date} to {date}, {few} days in all.",
    "Prices were {percent} lower than in {month}, when a barrel cost {sum}.",
    "The count was {many} in {year}, {many} in {year} and {many} in {year}.",
    "The minimum is {few}, the maximum {many}, and most are near {few}.",
    "The ship, {height} long and of {many} tons, sank on {date} with {few} people on board.",
    "Tickets cost {sum}, or {sum} at the door; doors open at {clock}.",
    "He left {sum} to his sister and {sum} to the parish of {name}.",
    "In the census of {year} the village had {many} houses and {few} inns.",
    "The engine gives {power} at {many} rpm and drives the wheels through {few} gears.",
    "Law {few}/{year} replaced Directive {two}/{few}/EC on {date}.",
    "White played {few}...{move} on move {few}, and after {few}.{move} it was over.",
    "The ratio was {few}:{few} at first and {few}:{few} in the end.",
    "The talks began at {clock}, broke off at {clock} and ended on {date}.",
    "From {year} onwards he taught at {name}, where he died on {date}, aged {two}.",
    "They took the {clock} from {name} and were there by {clock}.",
    "The lake covers {area} and is up to {height} deep.",
    "Of the {many} who set out in {year}, {few} came back.",
    "Her letters from {name}, {year} to {year}, fill {few} boxes.",
    "The paper cites Moore {year}, {few}-{few}, and Hall {year}, {few}a-{few}b.",
    "As in Hobbes, Leviathan {few}a-{few}b, and later in Locke {year}, {few}-{two}.",
    "A levy of {sum} paid for the dock, which came to {sum} when all was done.",
    "No fewer than {few} have to be there, and no more than {many} may come.",
)
_SLOT = re.compile(r"\{(\w+)\}")


def counted_paragraph(rng: random.Random) -> str:
    """Some sentences, each with other numbers."""
    chosen = rng.sample(SENTENCES, rng.randint(2, 6))
    return " ".join(_SLOT.sub(lambda slot: _SLOTS[slot[1]](rng), text) for text in chosen)


def _many(rng: random.Random) -> str:
    number = int(10 ** rng.uniform(2, 6.3))
    return rng.choice((f"{number:,}", str(number), f"{number / 1000:.1f} thousand"))


def _few(rng: random.Random) -> str:
    return str(rng.choice((rng.randint(1, 20), rng.randint(10, 700))))


def _year(rng: random.Random) -> str:
    return str(rng.choice((rng.randint(1400, 1899), rng.randint(1850, 2029))))


def _date(rng: random.Random) -> str:
    day, month = rng.randint(1, 28), rng.choice(MONTHS)
    return rng.choice(
        (
            f"{day} {month} {_year(rng)}",
            f"{month} {day}, {_year(rng)}",
            f"{day} {month}",
            f"{month} {day}",
            f"{month} {day}, {_year(rng)} at {rng.randint(1, 12)}:{rng.randint(0, 59):02}",
        )
    )


def _sum(rng: random.Random) -> str:
    sign = rng.choice("$£€")
    return rng.choice(
        (
            f"{sign}{_many(rng)}",
            f"{sign}{rng.uniform(1, 90):.2f}",
            f"{sign}{rng.uniform(1, 90):.1f} million",
            f"{_many(rng)} {rng.choice(('marks', 'crowns', 'dollars', 'pounds', 'EUR', 'USD'))}",
        )
    )


def _clock(rng: random.Random) -> str:
    hour, minute = rng.randint(0, 23), rng.randint(0, 59)
    return rng.choice((f"{hour}:{minute:02}", f"{hour % 12 + 1}.{minute:02} pm", f"{hour:02}:00"))


def _measured(low: float, high: float, *units: str) -> Callable[[random.Random], str]:
    def measured(rng: random.Random) -> str:
        number, unit = rng.uniform(low, high), rng.choice(units)
        return f"{number:.{rng.choice((0, 0, 1))}f}{rng.choice((' ', ' ', ''))}{unit}"

    return measured


_SLOTS: dict[str, Callable[[random.Random], str]] = {
    "year": _year,
    "date": _date,
    "many": _many,
    "few": _few,
    "sum": _sum,
    "clock": _clock,
    "two": lambda rng: f"{rng.randint(0, 99):02}",
    "name": lambda rng: rng.choice(NAMES),
    "month": lambda rng: rng.choice(MONTHS),
    "decade": lambda rng: str(10 * rng.randint(150, 202)),
    "percent": lambda rng: rng.choice((f"{rng.uniform(0, 99):.1f}%", f"{_few(rng)} per cent")),
    "run": lambda rng: f"{rng.randint(1, 59)}:{rng.uniform(0, 59):05.2f}",
    "move": lambda rng: rng.choice("KQRBN") + rng.choice("abcdefgh") + rng.choice("12345678"),
    "length": _measured(1, 900, "km", "miles", "mi", "kilometres"),
    "height": _measured(5, 3000, "m", "metres", "ft", "feet"),
    "small": _measured(0.1, 90, "mm", "cm", "inches"),
    "weight": _measured(1, 900, "g", "kg", "lb"),
    "speed": _measured(40, 250, "km/h", "mph", "knots"),
    "power": _measured(40, 900, "kW", "hp"),
    "heat": _measured(80, 250, "°C", "degrees"),
    "area": _measured(1, 900, "km²", "hectares", "square miles"),
    "spoon": _measured(1, 9, "g", "teaspoons"),
}
