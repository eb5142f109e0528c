"""All experiments by name, in the order of ``ta reproduce``."""

from transactional_attention.errors import UnknownNameError

from . import (
    ablation,
    audit,
    bfcl,
    detector,
    durability,
    longbench,
    mechanism,
    needle,
    perplexity,
    recall,
    ruler,
    scaling,
    statements,
    theorems,
    variant_map,
)
from .experiment import Experiment, elsewhere
from .running import case_experiment

LENGTHS = ("only", "budgets")  # what narrows an experiment whose texts have lengths of their own
OURS = "not in the paper"
ALL = (
    case_experiment(
        "needle", "Table 1, figures 1 and 4", "a credential in filler, by method and K",
        needle.needle,
    ),
    case_experiment(
        "toolcall", "Table 2", "a shared credential fills a call, several turns later",
        statements.toolcall,
    ),
    case_experiment(
        "models", "Table 3", "the needle at K=16 and 24 under the tokenizers of other models",
        needle.models,
    ),
    Experiment(
        "tokenizers", "section 4.6", "tokens of values by tokenizer",
        needle.tokenizers, needle.token_tables,
    ),
    case_experiment(
        "confusers", "Tables 7 and 8", "1 to 10 other values stated like the one asked for",
        statements.confusers,
    ),
    case_experiment(
        "variants", "Table 8", "variants of TA-Fast in English and seven other languages",
        statements.variants,
    ),
    case_experiment(
        "multislot", "Table 9", "three and four values of one context, each and all",
        statements.multislot,
    ),
    case_experiment(
        "formats", "Table 10", "values inside tool calls, headers, traces and settings",
        statements.formats,
    ),
    case_experiment(
        "hardmode", "Table 11", "similar anchors, paraphrased questions, an early needle",
        statements.hardmode,
    ),
    case_experiment(
        "abuse", "section 5.3", "20 to 500 injected anchors, with allowlist and with sources",
        statements.abuse, options=LENGTHS,
    ),
    Experiment(
        "scaling", "Table 4, section 4.7", "4K to 24K tokens: accuracy, time and memory",
        scaling.run, scaling.tables,
    ),
    Experiment(
        "perplexity", "Table 6", "WikiText-2 token by token under eviction",
        perplexity.run, perplexity.tables,
    ),
    Experiment(
        "longbench", "section 4.5", "single-document questions of LongBench, token F1",
        longbench.run, longbench.tables,
    ),
    Experiment(
        "audit", "appendix, figures 1 and 3", "template, partition, needle in the window, dormancy",
        audit.run, audit.tables,
    ),
    Experiment(
        "bfcl", OURS, "dormant literals of BFCL multi-turn, attention-free methods",
        bfcl.run, bfcl.tables,
    ),
    case_experiment(
        "composition", "Figure 5", "other methods with and without sponsorship, on the needle",
        needle.composition,
    ),
    Experiment(
        "mechanism", "figures 2 and 3c", "one context in detail: vouchers, utility, what stays",
        mechanism.run, mechanism.tables,
    ),
    case_experiment(
        "ablation", "section 5.2, Figure 6", "each number and each choice changed alone",
        ablation.blocks, tables=ablation.tables, options=LENGTHS,
    ),
    Experiment(
        "detector", "section 5.1", "precision, recall and F1 of the detectors by family",
        detector.run, detector.tables,
    ),
    Experiment(
        "latency", "section 4.5", "what TA-Fast adds to a prefill and to a decode step",
        elsewhere("ta bench prefill and ta bench decode"), scaling.latency_tables,
    ),
    case_experiment(
        "cliff", "section 2 (cited)", "error against compression, 50 to 99.6%",
        needle.cliff, controls=False,
    ),
    case_experiment(
        "unstructured", "section 7", "values that no label announces, questions in other words",
        statements.unstructured,
    ),
    Experiment(
        "durability", "section 3.1, algorithm 1", "values held over generated tokens and turns",
        durability.run, durability.tables,
    ),
    Experiment(
        "theorems", "section 6, appendix", "formal claims, with counterexamples",
        elsewhere("python -m pytest tests/test_claims.py"), theorems.tables,
    ),
    Experiment(
        "variant-map", "Table 5", "which variant stands behind each experiment",
        variant_map.run, variant_map.tables,
    ),
    case_experiment(
        "answered", OURS, "what must be held beside a value so that it is answered",
        statements.answered, controls=False, options=LENGTHS,
    ),
    case_experiment(
        "alike", OURS, "eight values of similar labels in one text, each asked for",
        statements.alike, controls=False,
    ),
    case_experiment(
        "corrections", OURS, "a value that is stated and later corrected",
        statements.corrections, controls=False,
    ),
    Experiment(
        "ruler", "RULER", "RULER's eight needle tasks, ta beside other methods",
        ruler.run, ruler.tables, LENGTHS,
    ),
    *recall.EXPERIMENTS,
)  # fmt: skip
EXPERIMENTS: dict[str, Experiment] = {one.name: one for one in ALL}


def get_experiment(name: str) -> Experiment:
    """The experiment of that name. Raises UnknownNameError with the closest names."""
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    return EXPERIMENTS[name]
