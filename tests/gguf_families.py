"""Tiny GGUF files of several families, whose vocabulary is bytes and a few merges."""

import numpy as np

import gguf_files

WIDTH, HEADS, HIDDEN, LATENT = 32, 2, 48, 8
MERGES = [("1", "3"), ("2", "13"), ("5", "8"), ("58", "2"), ("Ġ", "t"), ("ã", "ģ")]
SPECIAL = ["<s>", "</s>"]
NORMS = ("attn_norm", "ffn_norm")
PLAIN = {
    **{f"attn_{name}": (WIDTH, WIDTH) for name in ("q", "k", "v", "output")},
    **{"ffn_gate": (HIDDEN, WIDTH), "ffn_up": (HIDDEN, WIDTH), "ffn_down": (WIDTH, HIDDEN)},
}
LATENT_ATTENTION = {
    "attn_q_a": (LATENT, WIDTH),
    "attn_q_b": (WIDTH, LATENT),
    "attn_kv_a_mqa": (LATENT + 8, WIDTH),
    "attn_kv_b": (HEADS * 24, LATENT),
    "attn_output": (WIDTH, HEADS * 16),
}
FFN = {name: PLAIN[name] for name in ("ffn_gate", "ffn_up", "ffn_down")}
FAMILIES = {
    "llama": ("llama-bpe", PLAIN, NORMS),
    "granite": ("refact", PLAIN, NORMS),
    "exaone": ("exaone", PLAIN, NORMS),
    "command-r": ("command-r", PLAIN, ("attn_norm",)),
    "glm4": (
        "glm4",
        {**PLAIN, "ffn_up": (2 * HIDDEN, WIDTH), "ffn_gate": None},
        (*NORMS, "post_attention_norm", "post_ffw_norm"),
    ),
    "olmo2": (
        "dbrx",
        PLAIN,
        ("attn_q_norm", "attn_k_norm", "post_attention_norm", "post_ffw_norm"),
    ),
    "deepseek2": (
        "deepseek-llm",
        {**LATENT_ATTENTION, **FFN},
        (*NORMS, "attn_q_a_norm", "attn_kv_a_norm"),
    ),
}
"""By architecture: how it splits words, matrices of a layer, and norms."""
GRANITE = dict(logit_scale=1.0, residual_scale=1.0, embedding_scale=1.0, attention_scale=0.25)
FIELDS = {
    "granite": dict(rope_dimension_count=16, **GRANITE),
    "command-r": dict(rope_dimension_count=16, logit_scale=1.0, layer_norm_eps=1e-5),
    "deepseek2": dict(
        rope_dimension_count=8,
        key_length=16,
        value_length=16,
        q_lora_rank=LATENT,
        kv_lora_rank=LATENT,
        leading_dense_block_count=1,
        expert_feed_forward_length=HIDDEN,
        expert_count=0,
        expert_shared_count=0,
        expert_weights_scale=1.0,
        expert_used_count=0,
    ),
}
"""Fields of the header that are not every family's."""


def write_family(path, family="llama", *, pre=None, templates=None, begins=False, length=256):
    """A random model of one layer in a file. ``templates``: a chat template, or several by name;
    ``begins``: texts begin with ``<s>``."""
    pretokenizer, shapes, norms = FAMILIES[family]
    writer = gguf_files.begun(
        path,
        family,
        block_count=1,
        context_length=length,
        embedding_length=WIDTH,
        feed_forward_length=HIDDEN,
        head_count=HEADS,
        head_count_kv=HEADS,
        layer_norm_rms_eps=1e-5,
        rope_freq_base=1e4,
        **FIELDS.get(family, dict(rope_dimension_count=16)),
    )
    size = _add_vocabulary(writer, pre or pretokenizer, begins=begins)
    if templates is not None:
        writer.add_chat_template(templates)
    random = np.random.default_rng(0)

    def add(name, *shape):
        made = random.standard_normal(shape) if len(shape) > 1 else np.ones(shape)
        writer.add_tensor(f"{name}.weight", made.astype(np.float32))

    add("token_embd", size, WIDTH)
    add("output_norm", WIDTH)
    if family != "command-r":  # its output is its embedding
        add("output", size, WIDTH)
    for name, shape in shapes.items():
        if shape is not None:
            add(f"blk.0.{name}", *shape)
    for name in norms:
        add(f"blk.0.{name}", LATENT if "_a_" in name else WIDTH)
    gguf_files.ended(writer)
    return path


def _add_vocabulary(writer, pre, *, begins):
    """GPT-2's letters for bytes, merges, special tokens; the number of all."""
    from tokenizers import pre_tokenizers  # noqa: PLC0415  (a part of transformers)

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = [*letters, *("".join(pair) for pair in MERGES), *SPECIAL]
    plain = len(tokens) - len(SPECIAL)
    kinds = [gguf_files.NORMAL] * plain + [gguf_files.CONTROL] * len(SPECIAL)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges([" ".join(pair) for pair in MERGES])
    writer.add_bos_token_id(plain)
    writer.add_eos_token_id(plain + 1)
    writer.add_add_bos_token(begins)
    writer.add_vocab_size(len(tokens))
    return len(tokens)


def write_sentencepiece(path):
    """A vocabulary as Llama 2 and Mistral have it, without weights."""
    import gguf  # noqa: PLC0415  (optional)

    pieces = [*"▁abcdehiknorsty:é", "▁the", "▁code", "de", "co", "▁t", "he", "▁c", "▁co", "▁▁"]
    marks, bytes_ = ["<unk>", "<s>", "</s>"], [f"<0x{byte:02X}>" for byte in range(256)]
    kinds = gguf.TokenType
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([*marks, *bytes_, *pieces])
    writer.add_token_scores([0.0] * 259 + [-float(len(pieces) - n) for n in range(len(pieces))])
    plain = [kinds.BYTE] * 256 + [kinds.NORMAL] * len(pieces)
    writer.add_token_types([kinds.UNKNOWN, kinds.CONTROL, kinds.CONTROL, *plain])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(True)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return path
