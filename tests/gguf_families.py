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


def write_family(path, family="llama", *, pre=None, templates=None, begins=False, length=256):
    """A random model of one layer in a file. ``templates``: a chat template, or several by name;
    ``begins``: texts begin with ``<s>``."""
    import gguf  # noqa: PLC0415  (optional)

    writer = gguf.GGUFWriter(path, family)
    own, shapes, norms = FAMILIES[family]
    size = _add_vocabulary(writer, pre or own, begins=begins)
    writer.add_block_count(1)
    writer.add_context_length(length)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(1e4)
    writer.add_vocab_size(size)
    if family == "deepseek2":
        writer.add_rope_dimension_count(8)
        writer.add_key_length(16)
        writer.add_value_length(16)
        writer.add_q_lora_rank(LATENT)
        writer.add_kv_lora_rank(LATENT)
        writer.add_leading_dense_block_count(1)
        writer.add_expert_feed_forward_length(HIDDEN)
        writer.add_expert_count(0)
        writer.add_expert_shared_count(0)
        writer.add_expert_weights_scale(1.0)
        writer.add_expert_used_count(0)
    else:
        writer.add_rope_dimension_count(16)
    if family == "granite":
        writer.add_logit_scale(1.0)
        writer.add_residual_scale(1.0)
        writer.add_embedding_scale(1.0)
        writer.add_attention_scale(0.25)
    if templates is not None:
        writer.add_chat_template(templates)
    random = np.random.default_rng(0)

    def add(name, *shape):
        made = random.standard_normal(shape) if len(shape) > 1 else np.ones(shape)
        writer.add_tensor(f"{name}.weight", made.astype(np.float32))

    add("token_embd", size, WIDTH)
    add("output_norm", WIDTH)
    add("output", size, WIDTH)
    for name, shape in shapes.items():
        if shape is not None:
            add(f"blk.0.{name}", *shape)
    for name in norms:
        add(f"blk.0.{name}", LATENT if "_a_" in name else WIDTH)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
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
