"""Values that left the cache come back when they are asked for: the same rows, exact logits."""

import gc
import stat
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import CohereConfig, CohereForCausalLM

from chat_templates import chat_tokenizer
from scenes import EXACT, VALUES, Conversation, encode, half, kept_positions, slots
from teacher_forced import sharpen, tiny_llama
from tiny_families import COMMON
from transactional_attention import (
    InputError,
    Recalling,
    Retention,
    RetentionCache,
    TokenStream,
    UnsupportedError,
    load_cache,
    plan,
    prefill,
)
from transactional_attention.engines.transformers import prefill as prefilling
from transactional_attention.engines.transformers.copies import compress, copy_of
from transactional_attention.engines.transformers.vault import Vault
from transactional_attention.retention import requests
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.retention.flow_state import forget_text

LOST = "landlord phone"  # the least confident of them: K has no room for it
STATED = "Notes. " + " ".join(f"The {label} is {value}." for label, value in VALUES.items())
IDLE = "\nIt rained all day and nothing else happened, so we went home early and slept.\n"
TEXTS = (STATED + IDLE, "Hm. The shelf mark is QX-4471. " + IDLE, STATED.replace("0", "4") + IDLE)
K = 40
WHOLE = Recalling(storage=None)  # rows come back bit for bit


def question(tokenizer, label, rows=1):
    """Tokens of a question, the same in every row."""
    return encode(tokenizer, *[f"\n\nWhat is the {label}?\n"] * rows)[0]


def ask(talk, *labels, **turn):
    """Ask for one label after another, the same in every row."""
    for label in labels:
        talk.ask(question(talk.cache.tokenizer, label, len(talk.mask)))
        talk.turn(**turn)


def asked(model, tokenizer, *labels, chunk=None, rows=1, recall=WHOLE, **options):
    """A conversation that reads the texts and asks for one label after another."""
    ids, mask = encode(tokenizer, *TEXTS[:rows])
    retention = Retention(options.pop("budget", K), recall=recall, **options)
    talk = Conversation(model, RetentionCache(model, tokenizer, retention), ids, mask)
    talk.turn(chunk=chunk)
    ask(talk, *labels, chunk=chunk)
    return talk


def places(label):
    """Positions of a value in the first text: bytes are tokens."""
    at = TEXTS[0].index(VALUES[label])
    return set(range(at, at + len(VALUES[label])))


def holds(cache, label, row=0):
    return places(label) <= set(kept_positions(cache, row))


def entered(cache):
    """What goes into every layer, by column: keys and values as they are held."""
    seen = []
    for layer in cache.managed:
        seen.append(([], []))

        def update(key, value, *args, layer=layer, own=seen[-1], add=layer.update, **kwargs):
            found = add(key, value, *args, **kwargs)
            new, place = key, layer.forward
            if cache.rotary is not None:
                new = cache.rotary.undo(key, place)
            own[0].append(new.clone())
            own[1].append(value.clone())
            return found

        layer.update = update
    return seen


@pytest.mark.parametrize(
    ("chunk", "positions", "dtype"),
    half([None, 16], ["original", "compact"], [torch.float32, torch.bfloat16]),
)
def test_rows_come_back_bit_for_bit(tokenizer, chunk, positions, dtype):
    model = tiny_llama(vocab_size=len(tokenizer)).to(dtype)
    ids, mask = encode(tokenizer, TEXTS[0])
    cache = RetentionCache(model, tokenizer, Retention(K, positions=positions, recall=WHOLE))
    seen, talk = entered(cache), Conversation(model, cache, ids, mask)
    talk.turn(chunk=chunk)
    for label in ("gate code", LOST, "wifi password"):
        ask(talk, label, chunk=chunk)
        assert holds(cache, label)
        for layer, (keys, values) in zip(cache.managed, seen):
            positions = torch.from_numpy(cache.flow.table_of(0).positions[0])
            live, order = positions >= 0, positions[positions >= 0]
            assert torch.equal(layer.keys[:, :, live], torch.cat(keys, 2)[:, :, order])
            assert torch.equal(layer.values[:, :, live], torch.cat(values, 2)[:, :, order])
    assert cache.report().recalled


@pytest.mark.parametrize(
    ("chunk", "rows", "positions", "ledger"),
    half([None, 16], [1, 3], ["original", "compact"], ["strict", "on-top"]),
)
def test_what_came_back_is_visible_to_later_queries_alone(
    model, tokenizer, chunk, rows, positions, ledger
):
    labels = ("gate code", LOST, "wifi password")
    options = {"positions": positions, "ledger": ledger}
    talk = asked(model, tokenizer, *labels, chunk=chunk, rows=rows, **options)
    assert talk.error() < EXACT
    for row in (0, 2)[: rows - 1 or 1]:
        assert talk.cache.report(row).recalled
    first = talk.cache.trace
    wanted = places(LOST)
    held = [wanted <= set(step[0][0][0].tolist()) for step in first]
    assert True in held[held.index(False) :]  # it was gone, and is there again
    if ledger == "strict":
        assert slots(talk.cache) == [K] * 3 and talk.cache.ledger.between <= K
        longest = max(step[0][1].shape[1] for step in first)
        assert talk.cache.ledger.within <= K + longest


def test_the_judge_sees_wrong_rows(model, tokenizer):
    talk = asked(model, tokenizer)
    for blocks in talk.cache.vault._blocks:
        blocks[:] = [
            replace(block, rows=block.rows | {"keys.0": block.rows["keys.0"] + 0.1})
            for block in blocks
        ]
    ask(talk, LOST)
    assert talk.cache.report().recalled and talk.error() > 100 * EXACT


def test_a_question_brings_its_value_and_the_next_one_another(model, tokenizer):
    talk = asked(model, tokenizer)
    for label in ("gate code", LOST, "gate code"):
        ask(talk, label)
        assert holds(talk.cache, label)
    lacking = asked(model, tokenizer, LOST, recall=False)
    assert not holds(lacking.cache, LOST)


@pytest.mark.parametrize("ledger", ["strict", "on-top"])
def test_a_question_is_read_beside_no_other_value(model, tokenizer, ledger):
    talk = asked(model, tokenizer, ledger=ledger)
    held = {v for v in VALUES if holds(talk.cache, v)}
    assert len(held - {LOST}) > 2
    before = len(talk.cache.trace)
    ask(talk, LOST)
    others = set().union(*(places(label) for label in VALUES if label != LOST))
    seen = set(talk.cache.trace[before][0][0][0].tolist())
    assert places(LOST) <= seen and not others & seen
    assert talk.error() < EXACT
    ask(talk, "wifi password")
    assert holds(talk.cache, "wifi password")


def test_without_a_question_nothing_changes(model, tokenizer):
    on, off = (asked(model, tokenizer, chunk=16, recall=recall) for recall in (WHOLE, False))
    assert not on.cache.report().recalled
    assert all(torch.equal(a, b) for a, b in zip(on.logits, off.logits))
    assert kept_positions(on.cache) == kept_positions(off.cache)


@pytest.mark.parametrize("name", ["chatml", "llama3"])
def test_what_a_template_writes_of_roles_asks_for_nothing(name):
    chat = chat_tokenizer(name)
    stated = chat(STATED + " The user name is nia_4471." + IDLE)["input_ids"]
    for said, asked_for in (("Go on.", []), ("What is the user name?", ["nia_4471"])):
        flow = RetentionFlow(Retention(K, recall=True), chat, 1)
        flow.read(np.array([stated]), np.ones((1, len(stated)), bool), final=True)
        flow.cut(flow.table)
        turn = [{"role": "user", "content": said}]
        read = chat.apply_chat_template(turn, tokenize=False, add_generation_prompt=True)
        flow.sequences[0].read(chat(read)["input_ids"], final=True)
        values = [item.entry.value for item in requests.asks(flow.sequences[0], final=True)]
        assert [flow.sequences[0].characters(v) for v in values] == asked_for


@pytest.mark.parametrize("positions", ["original", "compact"])
def test_generated_text_that_opens_a_slot_brings_its_value_back(model, tokenizer, positions):
    talk = asked(model, tokenizer, positions=positions, recall=WHOLE)
    cache, said = talk.cache, encode(tokenizer, "\nHere: the landlord phone is ")[0]
    assert not holds(cache, LOST)
    for token in said[0, :-1]:
        model(token[None, None], past_key_values=cache)
    logits = model(said[:, -1:], past_key_values=cache).logits
    assert holds(cache, LOST) and slots(cache) == [K] * 3
    talk.logits, talk.columns = [logits[:, -1]], [cache.num_columns - 1]
    talk.ids = torch.cat([talk.ids[:, : cache.num_columns - said.shape[1]], said], 1)
    talk.mask = torch.ones_like(talk.ids)
    assert talk.error() < EXACT
    (back,) = cache.report().recalled
    assert {"landlord", "phone"} <= set(back.words)


@pytest.mark.parametrize("ledger", ["strict", "on-top"])
def test_a_plan_says_from_which_budget_a_value_comes_back(model, tokenizer, ledger):
    found = plan(TEXTS[0], tokenizer, Retention(K, recall=True))
    (value,) = [v for v in found.values if v.label.startswith("The " + LOST)]
    assert value.status == "when asked" and found.minimum_asked < K < found.minimum_budget
    for budget, comes in ((value.asked, True), (value.asked - 1, False)):
        talk = asked(model, tokenizer, budget=budget, ledger=ledger)
        assert not holds(talk.cache, LOST)
        ask(talk, LOST, new_tokens=1)
        assert holds(talk.cache, LOST) is comes


def test_a_corrected_value_leaves_the_vault(model, tokenizer):
    talk = asked(model, tokenizer)
    talk.ask(
        encode(tokenizer, "\nCorrection: the landlord phone is now 555-0199. Noted.\n" + IDLE)[0]
    )
    talk.turn()
    ask(talk, LOST)
    assert not holds(talk.cache, LOST)
    assert "555-0199" in "".join(item.text for item in talk.cache.report(reveal=True).kept)


def test_a_released_value_is_not_recalled(model, tokenizer):
    talk = asked(model, tokenizer)
    talk.cache.flow.release(min(places(LOST)), 250, unit="tokens")
    ask(talk, LOST)
    assert min(places(LOST)) not in [b.start for b in talk.cache.report().recalled]
    assert not holds(talk.cache, LOST)


def test_a_value_that_is_held_gets_its_label_back(model, tokenizer):
    label = "van key"  # held, of which K keeps the value alone
    talk = asked(model, tokenizer)
    words = set(range(TEXTS[0].index("The " + label), min(places(label))))
    held = set(kept_positions(talk.cache))
    assert places(label) <= held and not words & held
    ask(talk, label)
    assert places(label) | words <= set(kept_positions(talk.cache))
    assert talk.error() < EXACT


def test_the_vault_keeps_to_its_limit(model, tokenizer):
    free = asked(model, tokenizer, LOST).cache
    limit = free.vault.num_bytes * 3 // 4
    cache = asked(model, tokenizer, LOST, recall=Recalling(limit=limit, storage=None)).cache
    assert 0 < cache.vault.num_bytes <= limit < free.vault.num_bytes
    assert cache.report().waiting_bytes == cache.vault.num_bytes
    assert cache.report().waiting < free.report().waiting


def test_values_of_one_line_share_its_tokens(model, tokenizer):
    cache = asked(model, tokenizer, chunk=16).cache
    stored = cache.flow.sequences[0].recall.stored
    needed = set().union(*(positions.tolist() for positions in stored.values()))
    held = [p for block in cache.vault._blocks[0] for p in block.positions.tolist()]
    assert len(held) == len(set(held)) == len(needed) < sum(map(len, stored.values()))
    assert needed == set(held)


def test_a_vault_of_another_build_is_refused(model, tokenizer):
    cache = asked(model, tokenizer).cache
    fewer = {name: part[:, :, 1:] for name, part in cache.vault.exported(cache.flow).items()}
    with pytest.raises(InputError, match="another build"):
        Vault(WHOLE, None).resume(cache.flow, fewer, cache.managed)
    vault, rows = Vault(Recalling(), cache.decoder), cache.vault.exported(cache.flow)
    with pytest.raises(InputError, match="older build"):
        vault.resume(cache.flow, rows, cache.managed)


def test_lines_come_back_with_their_values(model, tokenizer):
    held = [
        asked(model, tokenizer, recall=Recalling(lines=lines, storage=None)).cache.vault.num_bytes
        for lines in (False, True)
    ]
    assert held[1] > held[0]
    assert asked(model, tokenizer, LOST, recall=Recalling(lines=True, storage=None)).error() < EXACT


def test_a_value_comes_back_without_its_line_or_its_label_where_k_is_small(model, tokenizer):
    """Its line is all of the statements; its label has 14 tokens, it and its closing token 9."""
    label, value = (set(range(STATED.index(part), STATED.index(part) + len(part)))
                    for part in (LOST, VALUES[LOST]))  # fmt: skip
    held = {}
    for budget in (80, 40, 20):
        talk = asked(model, tokenizer, LOST, budget=budget, recall=WHOLE)
        held[budget] = set(kept_positions(talk.cache))
        assert value <= held[budget] and talk.error() < EXACT
        assert talk.cache.report().recalled[0].words
    assert label <= held[80] and label <= held[40] and not label <= held[20]


def test_values_that_one_question_asks_for_share_k(model, tokenizer):
    """Where their statements take all that is beside the first token, or their labels have room for
    two, the third one comes alone."""
    values = {"api key": "QX7K-88", "van plate": "VN-2291", "shelf mark": "HD-8830"}
    text = "".join(f"The {label} is {value}.\n" for label, value in values.items())
    wanted = {text.index(value) + i for value in values.values() for i in range(len("QX7K-88"))}
    for left_out in (0, len("The api key is ")):
        retention = Retention(len(text) + 2 - left_out, recall=WHOLE, ledger="on-top")
        cache = RetentionCache(model, tokenizer, retention)
        talk = Conversation(model, cache, *encode(tokenizer, text + IDLE + IDLE))
        talk.turn()
        ask(talk, ", the ".join(values))
        assert wanted <= set(kept_positions(talk.cache)) and talk.error() < EXACT


@pytest.mark.parametrize(
    ("chunk", "ledger", "with_ids"),
    half([None, 64], ["strict", "on-top"], [None, True, False]),
)
def test_a_line_without_a_value_comes_back_where_all_lines_wait(
    model, tokenizer, tmp_path, chunk, ledger, with_ids
):
    line, asks = "Sam feeds the grey cat at dusk.", "\n\nWhen is the grey cat fed?\n"
    text = f"{line}\n{STATED}{IDLE}"
    ids, mask = encode(tokenizer, text)
    held = {}
    for lines in (True, "all"):
        given = Recalling(lines=lines, storage=None)
        retention = Retention(K, ledger=ledger, recall=given)
        talk = Conversation(model, RetentionCache(model, tokenizer, retention), ids, mask)
        talk.turn(chunk=chunk)
        if with_ids is not None:
            talk.cache.save(tmp_path / "cache")
            seen = {"input_ids": talk.ids} if with_ids else {}
            talk = Conversation(model, load_cache(tmp_path / "cache", model, tokenizer, **seen),
                                talk.ids, talk.mask)  # fmt: skip
        for question_ in (asks, f"\n\nWhat is the {LOST}?\n", asks):
            talk.ask(encode(tokenizer, question_)[0])
            talk.turn(chunk=chunk)
            held.setdefault(lines, []).append(set(kept_positions(talk.cache)))
        back = [item.rule for item in talk.cache.report().recalled]
        assert ("line" in back) == (lines == "all")
        if with_ids is None:
            assert talk.error() < EXACT
    own, (first, other, again) = set(range(len(line))), held["all"]
    assert own <= first and own <= again and not own <= other
    assert not any(own <= one for one in held[True])
    shown = f"{talk.cache.report()}{talk.cache.report().to_dict()}"
    assert "grey cat" not in shown.replace("grey, cat", "")


def test_questions_and_lines_of_values_are_no_lines_of_their_own(model, tokenizer):
    talk = asked(model, tokenizer, "gate code", LOST, recall=Recalling(lines="all"))
    book = talk.cache.flow.sequences[0].recall.book
    lines = [entry.value for entry in map(book.entry, book) if entry.rule == "line"]
    read = [tokenizer.decode(talk.ids[0, span.start : span.end]) for span in lines]
    assert read == [IDLE.strip()]
    assert talk.cache.retention == Retention(K, recall="all")
    with pytest.raises(InputError, match="lines of recall"):
        Recalling(lines="some")


@pytest.mark.parametrize("positions", ["original", "compact"])
@pytest.mark.parametrize(
    ("storage", "share", "off"), [("int4", 0.16, 0.2), ("int8", 0.29, 0.02), ("fp8", 0.29, 0.05)]
)
def test_rows_in_low_precision_come_back_nearly(tokenizer, positions, storage, share, off):
    model = tiny_llama(vocab_size=len(tokenizer), attention_bias=True)
    for layer in model.model.layers:  # as Qwen2's: far larger than what tells keys apart
        layer.self_attn.k_proj.bias.data[::5] = 100.0
    given = [Recalling(storage=storage), WHOLE]
    lower, exact = (
        asked(model, tokenizer, LOST, recall=one, positions=positions).cache for one in given
    )
    assert lower.vault.num_bytes < share * exact.vault.num_bytes
    found = [kept_positions(cache).index(min(places(LOST))) for cache in (lower, exact)]
    for held, true in zip(lower.managed, exact.managed, strict=True):
        for name in ("keys", "values"):
            mine, own = (
                getattr(layer, name)[0, :, at : at + len(places(LOST))]
                for layer, at in zip((held, true), found, strict=True)
            )
            apart = own - own.mean(1, keepdim=True)
            assert 0 < (mine - own).norm() < off * apart.norm()


def test_keys_that_cannot_be_turned_back_wait_in_eight_bits(tokenizer):
    sizes = COMMON | {"vocab_size": len(tokenizer), "max_position_embeddings": 1024}
    cohere = sharpen(CohereForCausalLM(CohereConfig(**sizes)))
    llama = tiny_llama(vocab_size=len(tokenizer))
    for model, form in ((cohere, "int8"), (llama, "int4")):
        talk = asked(model, tokenizer, LOST, recall=True)
        assert talk.cache.vault.rows.form == form and holds(talk.cache, LOST)


@pytest.mark.parametrize(("chunk", "ends"), [(16, 0), (64, 0), (64, 1), (64, 2)])
@pytest.mark.parametrize("positions", ["original", "compact"])
def test_a_stream_recalls_what_its_text_has_forgotten(
    tokenizer, monkeypatch, chunk, ends, positions
):
    model = tiny_llama(vocab_size=len(tokenizer), max_position_embeddings=8192)
    monkeypatch.setattr(prefilling, "forget_text", partial(forget_text, keep=0))
    text = TEXTS[0] + IDLE * 60 + "The tax number is XQ-3412.\n" + IDLE * 12
    text += f"\n\nWhat is the {LOST}?\n"
    text += " " * ((ends - len(text)) % chunk)  # the last chunk of one token, as well
    retention = Retention(K, positions=positions, recall=WHOLE)
    cache = RetentionCache(model, tokenizer, retention)
    pieces = (text[i : i + 11] for i in range(0, len(text), 11))
    stream = TokenStream(tokenizer, pieces)
    prefill(model, stream, cache, chunk=chunk)
    ids = tokenizer(text, return_tensors="pt")["input_ids"]
    talk = Conversation(model, cache, ids, torch.ones_like(ids))
    talk.turn()
    assert not cache.flow.sequences[0].whole
    assert holds(cache, LOST)
    (back,) = cache.report().recalled
    assert {"landlord", "phone"} <= set(back.words)
    other = RetentionCache(model, tokenizer, retention)
    prefill(model, ids, other, chunk=chunk)
    again = Conversation(model, other, ids, torch.ones_like(ids))
    again.turn()
    assert kept_positions(other) == kept_positions(cache)
    assert torch.equal(talk.ids, again.ids) and torch.equal(talk.logits[-1], again.logits[-1])


@pytest.mark.parametrize("method", ["ta+streaming-llm", "ta+random"])
def test_other_methods_of_one_table_recall(model, tokenizer, method):
    talk = asked(model, tokenizer, LOST, method=method, chunk=16)
    assert holds(talk.cache, LOST)
    assert talk.error() < EXACT and talk.cache.report().recalled


def test_copies_and_rows_recall_by_themselves(model, tokenizer):
    talk = asked(model, tokenizer, rows=3)
    other, before = copy_of(talk.cache), talk.cache.vault.num_bytes
    other.take_rows(torch.tensor([2, 0]))
    ids = question(tokenizer, LOST, 2)
    model(
        ids, past_key_values=other, attention_mask=torch.ones(2, other.num_columns + ids.shape[1])
    )
    assert all(holds(other, LOST, row) for row in (0, 1))
    assert not talk.cache.report().recalled and talk.cache.vault.num_bytes == before


def test_a_compressed_cache_recalls(model, tokenizer):
    ids, _ = encode(tokenizer, TEXTS[0])
    whole = RetentionCache(model, tokenizer, Retention(None, "full"))
    prefill(model, ids, whole, keep_last=False)
    cache = compress(whole, Retention(K, recall=WHOLE))
    model(question(tokenizer, LOST), past_key_values=cache)
    wanted = sorted(places(LOST))
    assert holds(cache, LOST)
    table = cache.flow.table_of(0)
    at = [table.positions[0].tolist().index(position) for position in wanted]
    for layer, full in zip(cache.managed, whole.managed):
        assert torch.equal(layer.keys[:, :, at], full.keys[:, :, wanted])


def test_reports_show_labels_and_no_value(model, tokenizer):
    report = asked(model, tokenizer, LOST, "wifi password").cache.report()
    shown = f"{report}{report.to_dict()}"
    assert "The landlord phone is" in shown and "asked by" in shown
    assert not any(value in shown for value in VALUES.values())


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"method": "h2o"}, "protects no values"),
        ({"method": "streaming-llm"}, "protects no values"),
        ({"method": "ta+snapkv"}, "different tokens"),
        ({"budget": (24, 16, 8)}, "different tokens"),
        ({"preset": "paper", "method": "ta-fast-regex"}, "paper preset"),
        ({"storage": "int8"}, "storage"),
        ({"detect_in_generated": True}, "detect_in_generated"),
    ],
)
def test_what_recall_does_not_serve_is_refused_by_name(model, tokenizer, options, why):
    with pytest.raises(UnsupportedError, match=why):
        RetentionCache(model, tokenizer, Retention(**{"budget": K, "recall": True, **options}))


@pytest.mark.parametrize(
    ("given", "rows", "with_ids"),
    half([WHOLE, Recalling(lines=True), Recalling(lines="all")], [1, 3], [True, False]),
)
def test_a_saved_cache_goes_on_with_its_vault(model, tokenizer, tmp_path, given, rows, with_ids):
    talk = asked(model, tokenizer, "gate code", LOST, chunk=16, rows=rows, recall=given)
    talk.cache.save(tmp_path / "cache")
    seen = {"input_ids": talk.ids, "attention_mask": talk.mask} if with_ids else {}
    loaded = load_cache(tmp_path / "cache", model, tokenizer, **seen)
    assert loaded.vault.num_bytes == talk.cache.vault.num_bytes
    assert loaded.retention == talk.cache.retention
    assert [str(b) for b in loaded.report().recalled] == [
        str(b) for b in talk.cache.report().recalled
    ]
    other = Conversation(model, loaded, talk.ids, talk.mask)
    for label in ("wifi password", LOST):
        for one in (talk, other):
            ask(one, label)
        for row in range(rows):
            assert kept_positions(loaded, row) == kept_positions(talk.cache, row)
        assert holds(loaded, label)
    assert torch.equal(other.ids, talk.ids)
    assert all(map(torch.equal, other.logits, talk.logits[-len(other.logits) :]))


@pytest.mark.parametrize("storage", [None, "int4", "int8"])
def test_rows_lie_in_a_folder_as_long_as_somebody_holds_them(model, tokenizer, tmp_path, storage):
    folder = tmp_path / "vault"
    folder.mkdir()
    given = Recalling(storage=storage, folder=str(folder))
    talk = asked(model, tokenizer, "gate code", LOST, chunk=16, recall=given)
    other = asked(model, tokenizer, "gate code", LOST, chunk=16, recall=replace(given, folder=None))
    assert all(map(torch.equal, talk.logits, other.logits))
    assert kept_positions(talk.cache) == kept_positions(other.cache)
    files = list(folder.iterdir())
    assert files and all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in files)
    assert talk.cache.vault.num_bytes == other.cache.vault.num_bytes
    maps = Path("/proc/self/maps")
    assert not maps.exists() or str(folder) in maps.read_text()
    talk.cache.save(tmp_path / "cache")
    loaded = load_cache(tmp_path / "cache", model, tokenizer, input_ids=talk.ids)
    assert len(list(folder.iterdir())) == len(files) + 1
    del loaded
    copied = copy_of(talk.cache)
    talk.cache.reset()
    gc.collect()
    assert set(folder.iterdir()) == set(files)
    model(question(tokenizer, LOST), past_key_values=copied)
    assert holds(copied, LOST)
    del copied
    gc.collect()
    assert not list(folder.iterdir())


def test_a_folder_that_is_not_there_is_named(model, tokenizer, tmp_path):
    with pytest.raises(InputError, match="nowhere"):
        asked(model, tokenizer, recall=Recalling(folder=str(tmp_path / "nowhere")))


def test_a_saved_vault_holds_no_value(model, tokenizer, tmp_path):
    asked(model, tokenizer, LOST).cache.save(tmp_path / "cache")
    content = (tmp_path / "cache").read_bytes()
    assert b"landlord" in content and not any(
        v.encode() in content for v in VALUES.values() if len(v) > 5
    )
