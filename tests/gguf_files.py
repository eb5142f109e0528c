"""Tiny GGUF files, written with the package ``gguf`` as llama.cpp's converter writes them."""

import numpy as np

from scenes import byte_tokenizer
from teacher_forced import tiny_llama

TEMPLATE = (
    "{% for m in messages %}<s>{{ m.role }}\n{{ m.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<s>assistant\n{% endif %}"
)
CONTROL, NORMAL = 3, 1  # kinds of tokens
MERGE = ("Ċ", "Ċ")  # the one token of two bytes, for a file without merges cannot be written


def write_gguf(
    path,
    *,
    kind="F32",
    architecture="llama",
    end=2,
    without=(),
    positions=4096,
    longrope=None,
    **fields,
):
    """A random Llama over bytes in a file; returns the model. ``end``: of a text, by its header.

    ``kind``: of matrices. ``without``: tensors to leave out. ``positions``: the trained length;
    ``longrope``: from how many cells on llama.cpp takes other rope factors.
    ``fields``: more of the header.
    """
    import gguf  # noqa: PLC0415  (optional)

    tokenizer = byte_tokenizer()
    shape = dict(tie_word_embeddings=False, max_position_embeddings=positions)
    model = tiny_llama(vocab_size=len(tokenizer) + 1, **shape)
    config = model.config
    writer = begun(
        path,
        architecture,
        block_count=config.num_hidden_layers,
        context_length=config.max_position_embeddings,
        embedding_length=config.hidden_size,
        feed_forward_length=config.intermediate_size,
        head_count=config.num_attention_heads,
        head_count_kv=config.num_key_value_heads,
        layer_norm_rms_eps=config.rms_norm_eps,
        rope_dimension_count=config.head_dim,
        rope_freq_base=10_000.0,
        vocab_size=config.vocab_size,
    )
    add_tokenizer(writer, tokenizer, end)
    if longrope:
        writer.add_rope_scaling_type(gguf.RopeScalingType.LONGROPE)
        writer.add_rope_scaling_orig_ctx_len(longrope)
        half = np.arange(config.head_dim // 2, dtype=np.float32)
        writer.add_tensor("rope_factors_short.weight", 1 + half / 8)
        writer.add_tensor("rope_factors_long.weight", 2 + half)
    for name, value in fields.items():
        writer.add_string(name.replace("__", "."), value)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config.num_hidden_layers)
    for name, weight in model.state_dict().items():
        short = names.get_name(name, (".weight",))
        if short not in without:
            _add_tensor(writer, short, weight.numpy(), kind, config)
    ended(writer)
    return model


def begun(path, architecture, **fields):
    """A writer of a file after these fields of its header."""
    import gguf  # noqa: PLC0415  (optional)

    writer = gguf.GGUFWriter(path, architecture)
    for name, value in fields.items():
        getattr(writer, f"add_{name}")(value)
    return writer


def ended(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add_tokenizer(writer, tokenizer, end):
    vocabulary = tokenizer.get_vocab()
    tokens = [*sorted(vocabulary, key=vocabulary.get), "".join(MERGE)]
    special = set(tokenizer.all_special_tokens)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_types([CONTROL if token in special else NORMAL for token in tokens])
    writer.add_token_merges([" ".join(MERGE)])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(end)
    writer.add_pad_token_id(0)
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)


def _add_tensor(writer, name, weight, kind, config):
    import gguf  # noqa: PLC0415  (optional)

    if "attn_q." in name or "attn_k." in name:  # halves of a head are woven into pairs
        heads = config.num_attention_heads if "_q." in name else config.num_key_value_heads
        halves = weight.reshape(heads, 2, weight.shape[0] // heads // 2, *weight.shape[1:])
        weight = halves.swapaxes(1, 2).reshape(weight.shape)
    weight = np.ascontiguousarray(weight, dtype=np.float32)
    if weight.ndim == 1 or kind == "F32":
        writer.add_tensor(name, weight)
        return
    made = gguf.GGMLQuantizationType[kind]
    writer.add_tensor(name, gguf.quants.quantize(weight, made), raw_dtype=made)
