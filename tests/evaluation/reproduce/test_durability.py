"""Values over generated tokens and turns: what decays is lost, what is held stays."""

import pytest

from ta_lab.cases.encoding import encode_case
from ta_lab.experiments import durability
from ta_lab.experiments.durability import PRINTED, generate, held_whole, read, registered
from ta_lab.experiments.experiment import Context
from ta_lab.generators.needle import needle_case
from teacher_forced import tiny_llama

DECAYS, STAYS = f"{PRINTED}, no reserved slots", f"{PRINTED}, no reserved slots, no decay"


@pytest.fixture
def encoded(tokenizer):
    return encode_case(tokenizer, needle_case(tokenizer, context=400, depth=0.3, seed=0))


@pytest.mark.parametrize(
    ("name", "steps", "kept"),
    [
        ("streaming-llm", 0, False),
        (DECAYS, 0, True),
        (DECAYS, 100, False),
        (STAYS, 100, True),
        ("ta", 1000, True),
        ("ta, fading by step", 100, False),
        ("ta, fading by turn", 100, True),
    ],
)
def test_generated_tokens_take_the_place_of_what_faded(tokenizer, encoded, name, steps, kept):
    flow = read(tokenizer, encoded, name)
    generate(flow, steps)
    assert held_whole(flow, encoded.values[0]) is kept


def test_a_registry_knows_what_is_held(tokenizer, encoded):
    flow = read(tokenizer, encoded, "ta")
    assert registered(flow, encoded.values[0])
    flow.release(encoded.values[0].start, encoded.values[0].end, unit="tokens")
    assert not registered(flow, encoded.values[0])
    generate(flow, 100)
    assert not held_whole(flow, encoded.values[0])


def test_a_record_has_every_part_and_resumes(tokenizer, monkeypatch):
    monkeypatch.setattr(durability, "SETTINGS", ("full", "streaming-llm", "ta"))
    monkeypatch.setattr(durability, "MANAGED", ("streaming-llm", "ta"))
    sizes = {512: 200, durability.GENERATED[0]: (0, 30), durability.TURNS[0]: (0, 2),
             durability.ANSWERED[0]: (0, 5, 5000), durability.FAR[0]: 20,
             durability.ASKED_TURNS[0]: (1, 90), 0: 1}  # fmt: skip
    monkeypatch.setattr(Context, "pick", lambda self, q, d, f: sizes.get(q, q))
    model = tiny_llama(layers=2, vocab_size=len(tokenizer), max_position_embeddings=420)
    context = Context(lambda: (model, tokenizer), size="default", trials=1)
    rows = durability.run(context)["rows"]
    parts = ["generated", "turns", "answers", "far", "asked turns"]
    assert [row["part"] for row in rows] == [*parts, *(f"{part}, controls" for part in parts)]
    kept = {(r["part"], c["setting"], c["gap"]): c["kept"] for r in rows for c in r["cells"]}
    assert kept["generated", "ta", 30] and kept["turns", "ta", 2]
    assert kept["answers", "ta", 5] and kept["answers", "full", 5]
    assert kept["far", "ta", 20] and kept["asked turns", "ta", 1] and kept["asked turns", "full", 1]
    assert ("answers", "ta", 5000) not in kept  # past the model's positions
    assert ("asked turns", "ta", 90) not in kept
    assert all(not kept[key] for key in kept if key[1] == "streaming-llm")
    for part, gap in zip(parts, (30, 2, 5, 20, 1), strict=True):
        assert kept[f"{part}, controls", "oracle", gap]
        assert not kept.get((f"{part}, controls", "random-spans", gap))
    assert not kept["answers, controls", "boundary-10", 5]
    again = Context(lambda: pytest.fail("run again"), size="default", trials=1, rows=rows)
    assert durability.run(again)["rows"] == rows
    shown = durability.tables({"rows": rows})
    assert "| ta | 100 [21, 100] | 100 [21, 100] |" in shown
    assert "| oracle | 100 [21, 100] | 100 [21, 100] |" in shown
    fewer = durability.parts_of(Context(lambda: (model, tokenizer), size="quick"))
    assert [part.name for part in fewer] == parts
