"""Every press of kvpress 0.5.5 with settings for a tiny model; weights of its own are random."""

from types import SimpleNamespace

import kvpress
import numpy as np
import torch
from kvpress.presses.fastkvzip_press import FastKVzipGate
from kvpress.presses.kvzap_press import KVzapConfig, KVzapModel

RATIO = 0.7


def snap(ratio=RATIO):
    return kvpress.SnapKVPress(ratio, window_size=16)


def names_of(model):
    return model.config.name_or_path.split("/")[-1]


def sizes(model):
    config = model.config
    return SimpleNamespace(
        layers=config.num_hidden_layers,
        heads=config.num_attention_heads,
        kv=config.num_key_value_heads,
        dim=config.head_dim,
        hidden=config.hidden_size,
    )


def stats_press(model, tokenizer, patch):
    press, s = kvpress.ExpectedAttentionStatsPress(RATIO), sizes(model)
    press.mu = torch.randn(s.layers, s.heads, s.dim)
    press.cov = torch.randn(s.layers, s.heads, s.dim, s.dim)
    return press


def fast_kvzip(model, tokenizer, patch):
    press, s = kvpress.FastKVzipPress(RATIO), sizes(model)
    press.gates = [
        FastKVzipGate(i, s.hidden, s.kv, s.heads // s.kv, torch.float32) for i in range(s.layers)
    ]
    return press


def kvzap(model, tokenizer, patch):
    press, s = kvpress.KVzapPress(RATIO), sizes(model)
    press.kvzap_model_name = f"nvidia/KVzap-mlp-{names_of(model)}"
    press.kvzap_model = KVzapModel(
        KVzapConfig(input_dim=s.hidden, output_dim=s.kv, n_modules=s.layers)
    )
    return press


def q_filter(model, tokenizer, patch):
    s = sizes(model)
    filters = torch.randn(s.layers, s.kv, s.dim)
    patch.setattr(kvpress.QFilterPress, "load_q_filters", staticmethod(lambda name: filters))
    return kvpress.QFilterPress(RATIO)


def duo(model, tokenizer, patch):
    s = sizes(model)
    pattern = (4, 32, np.random.default_rng(0).random((s.layers, s.kv)))
    load = staticmethod(lambda model: pattern)
    patch.setattr(kvpress.DuoAttentionPress, "load_attention_pattern", load)
    return kvpress.DuoAttentionPress(head_compression_ratio=RATIO)


def lukv(model, tokenizer, patch):
    press, s = kvpress.LUKVPress(compression_ratio=RATIO), sizes(model)
    press._budget_curves = np.full((99, s.layers, s.kv), RATIO)
    press._budget_curves[:, :, 0] += 0.2
    return press


def restore(model, tokenizer, patch):
    press = kvpress.RestoreKVPress(RATIO)
    press.restore_model_name = f"higokri/RestoreKV-{names_of(model)}"
    press.restore_embeddings = torch.randn(2, model.config.hidden_size)
    for name in ("set_adapter", "enable_adapters", "disable_adapters"):
        patch.setattr(model, name, lambda *args: None)
    return press


def finch(model, tokenizer, patch):
    press = kvpress.FinchPress(RATIO)
    press.update_model_and_tokenizer(model, tokenizer, "<sep>")
    return press


def decoding(press=None):
    press = press or kvpress.KnormPress()
    return kvpress.DecodingPress(press, compression_interval=4, target_size=64)


def plain(name, **settings):
    return lambda *_: getattr(kvpress, name)(compression_ratio=RATIO, **settings)


def around(name, **settings):
    return lambda *_: getattr(kvpress, name)(press=snap(), **settings)


PRESSES = {
    **{
        name: plain(name)
        for name in (
            "CURPress ExpectedAttentionPress KnormPress ObservedAttentionPress RandomPress "
            "StreamingLLMPress TOVAPress LagKVPress KeyDiffPress KVgradPress KVzipPress "
            "CompactorPress NonCausalAttnPress KVComposePress CapPress"
        ).split()
    },
    "SnapKVPress": plain("SnapKVPress", window_size=16),
    "PyramidKVPress": plain("PyramidKVPress", window_size=16, beta=5),
    "LeverageScorePress": lambda *_: kvpress.LeverageScorePress(0.9),
    **{
        name: around(name)
        for name in "CriticalAdaKVPress CriticalKVPress AdaKVPress KeyRerotationPress".split()
    },
    "ChunkPress": around("ChunkPress", chunk_length=128),
    "ChunkKVPress": around("ChunkKVPress", chunk_length=10),
    "EntropyGatedChunkKVPress": around("EntropyGatedChunkKVPress"),
    "BlockPress": lambda *_: kvpress.BlockPress(kvpress.KnormPress(RATIO), block_size=32),
    "MergingPress": around("MergingPress"),
    "DMSPress": around("DMSPress", threshold=0.02, sliding_window_size=16),
    "ComposedPress": lambda *_: kvpress.ComposedPress([kvpress.KnormPress(0.3), snap(0.3)]),
    "PerLayerCompressionPress": lambda *_: kvpress.PerLayerCompressionPress(
        kvpress.KnormPress(), [0.3, 0.5, 0.6]
    ),
    "SimLayerKVPress": lambda *_: kvpress.SimLayerKVPress(lazy_threshold=0.0, n_recent=64),
    "ThinKPress": lambda *_: kvpress.ThinKPress(RATIO),
    "DecodingPress": lambda *_: decoding(),
    "CompressionRatioDecodingPress": lambda *_: kvpress.CompressionRatioDecodingPress(
        kvpress.KnormPress(), compression_interval=4, target_compression_ratio=0.7
    ),
    "CAMPress": lambda *_: kvpress.CAMPress(
        kvpress.KnormPress(), compression_interval=4, target_size=64
    ),
    "PrefillDecodingPress": lambda *_: kvpress.PrefillDecodingPress(snap(), decoding()),
    "ExpectedAttentionStatsPress": stats_press,
    "FastKVzipPress": fast_kvzip,
    "KVzapPress": kvzap,
    "QFilterPress": q_filter,
    "DuoAttentionPress": duo,
    "LUKVPress": lukv,
    "RestoreKVPress": restore,
    "FinchPress": finch,
}
