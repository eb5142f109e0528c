"""Traces: what the cuts of a cell decided by, as arrays, and no text."""

import json

import numpy as np
import pytest

from ta_lab.cases.encoding import encode_case
from ta_lab.cases.runner import CaseRunner, TextRunner, observed_by
from ta_lab.cases.tracing import Traced, save_trace, trace_arrays
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.plan import FULL, Arm, task_cases
from transactional_attention.errors import InputError
from transactional_attention.retention.trace import watching

TOKENS, K = 700, 100  # bytes are tokens here
TA, TOVA = Arm("ta", K), Arm("tova", K)
PRINTED = Arm("ta-fast-semantic", K, preset="paper")


@pytest.fixture
def context(model, tokenizer):
    return Context(lambda: (model, tokenizer))


def make(context):
    return task_cases(context, "needle", tokens=TOKENS, depths=(0.3, 0.6))


def traced(context, arm, trials=1):
    """The first contexts under an arm, watched."""
    (model, tokenizer), traces = context.loaded, []
    for trial in range(trials):
        case = make(context)(tokenizer, trial)[0]
        retention = arm.retention(case, 0)
        observe = observed_by([retention])
        with watching() as watched:
            CaseRunner(model, tokenizer, case, "hidden", observe).keep(retention)
        traces.append(Traced(f"context {trial}", watched))
    return traces


def arrays_of(context, arm, trials=1):
    return trace_arrays(traced(context, arm, trials))


def test_a_method_that_reads_text_has_one_cut_for_all_layers(context, tokenizer):
    arrays = arrays_of(context, TA)
    assert arrays["contexts"].tolist() == ["context 0"] and arrays["left_out"].tolist() == [0]
    assert arrays["index"][0].tolist() == [0, 0, -1, K]
    positions, kept = arrays["0/0/positions"], arrays["0/0/kept"]
    shape = (1, positions.shape[1])
    assert {arrays[f"0/0/{n}"].shape for n in ("utility", "voucher", "held")} == {shape}
    assert kept.shape == (1, K) and set(kept[0]) <= set(positions[0])
    encoded = encode_case(tokenizer, make(context)(tokenizer, 0)[0])
    outcome = TextRunner(tokenizer, encoded).run(TA.retention(encoded.case, 0))
    assert kept[0].tolist() == outcome.kept
    (value,) = encoded.values
    spans = [span for span in arrays["0/0/spans"].tolist() if span[3:5] == [value.start, value.end]]
    assert spans and spans[0][5] == 1 and len(arrays["0/0/rules"]) == len(arrays["0/0/spans"])
    assert arrays["0/0/held"][0, value.start : value.end].all()


def test_kept_are_the_best_by_utility_and_voucher_as_printed(context):
    arrays = arrays_of(context, PRINTED)
    total = arrays["0/0/utility"] + arrays["0/0/voucher"]
    kept = np.isin(arrays["0/0/positions"][0], arrays["0/0/kept"][0])
    assert arrays["0/0/voucher"].any()
    assert np.median(total[0, kept]) > np.median(total[0, ~kept])


def test_a_method_that_reads_attention_has_one_a_layer(context, model):
    arrays = arrays_of(context, TOVA, trials=2)
    layers = model.config.num_hidden_layers
    first = arrays["index"][arrays["index"][:, 0] == 0][:layers]
    assert first[:, 2].tolist() == list(range(layers)) and set(arrays["index"][:, 0]) == {0, 1}
    assert not np.array_equal(arrays["0/0/utility"], arrays["0/1/utility"])


def test_what_cannot_be_traced_says_why(context, tmp_path):
    with pytest.raises(InputError, match="nothing is evicted"):
        save_trace(tmp_path / "t.npz", traced(context, FULL))
    assert not list(tmp_path.iterdir())


def test_no_value_is_in_a_file(context, tokenizer, tmp_path):
    case = make(context)(tokenizer, 0)[0]
    save_trace(tmp_path / "t.npz", traced(context, TA))
    with np.load(tmp_path / "t.npz", allow_pickle=False) as file:
        shown = json.dumps({name: file[name].tolist() for name in file.files})
        texts = [name for name in file.files if file[name].dtype.kind == "U"]
    assert case.answer not in shown
    assert {name.rpartition("/")[2] for name in texts} == {"contexts", "rules"}
