"""Tiny GGUF files of families that do not keep all they read in cells: recurrent layers beside
attention, sliding windows, several positions a token. Random float32 weights over bytes."""

import numpy as np

import gguf_files
from gguf_families import GRANITE
from scenes import byte_tokenizer

WIDTH, HEADS, KV_HEADS, HEAD, HIDDEN, CONTEXT = 64, 4, 2, 16, 96, 4096
WINDOW = 40  # of layers that slide
PLAIN = {
    "attn_norm": (WIDTH,),
    "ffn_norm": (WIDTH,),
    "ffn_gate": (HIDDEN, WIDTH),
    "ffn_up": (HIDDEN, WIDTH),
    "ffn_down": (WIDTH, HIDDEN),
}
ATTENTION = {
    "attn_q": (HEADS * HEAD, WIDTH),
    "attn_k": (KV_HEADS * HEAD, WIDTH),
    "attn_v": (KV_HEADS * HEAD, WIDTH),
    "attn_output": (WIDTH, HEADS * HEAD),
}
NORMED = {"attn_q_norm": (HEAD,), "attn_k_norm": (HEAD,)}
CONV = {"shortconv.conv": (WIDTH, 3), "shortconv.in_proj": (3 * WIDTH, WIDTH)}
CONV |= {"shortconv.out_proj": (WIDTH, WIDTH)}
INNER, STATE, RANK, GROUPS = 2 * WIDTH, 16, 4, 1
MIXED = INNER + 2 * GROUPS * STATE
MAMBA = {
    "ssm_in": (2 * INNER, WIDTH),
    "ssm_conv1d": (INNER, 4),
    "ssm_conv1d.bias": (INNER,),
    "ssm_x": (RANK + 2 * STATE, INNER),
    "ssm_dt_norm": (RANK,),
    "ssm_dt": (INNER, RANK),
    "ssm_dt.bias": (INNER,),
    "ssm_b_norm": (STATE,),
    "ssm_c_norm": (STATE,),
    "ssm_a": (INNER, STATE),
    "ssm_d": (INNER,),
    "ssm_out": (WIDTH, INNER),
}
BARE_MAMBA = {name: shape for name, shape in MAMBA.items() if not name.endswith("_norm")}
MAMBA2 = {
    "ssm_in": (INNER + MIXED + RANK, WIDTH),
    "ssm_conv1d": (MIXED, 4),
    "ssm_conv1d.bias": (MIXED,),
    "ssm_dt.bias": (RANK,),
    "ssm_a": (RANK, 1),
    "ssm_d": (RANK, 1),
    "ssm_norm": (GROUPS, INNER // GROUPS),
    "ssm_out": (WIDTH, INNER),
}
DELTA = {
    "attn_qkv": (2 * 2 * 16 + 4 * 16, WIDTH),
    "attn_gate": (4 * 16, WIDTH),
    "ssm_conv1d": (2 * 2 * 16 + 4 * 16, 4),
    "ssm_dt.bias": (4,),
    "ssm_a": (4,),
    "ssm_beta": (4, WIDTH),
    "ssm_alpha": (4, WIDTH),
    "ssm_norm": (16,),
    "ssm_out": (WIDTH, 4 * 16),
}
POST = {"post_attention_norm": (WIDTH,), "post_ffw_norm": (WIDTH,)}
BIASED = {f"attn_{name}.bias": ATTENTION[f"attn_{name}"][:1] for name in "qkv"}
SSM = dict(ssm_conv_kernel=4, ssm_inner_size=INNER, ssm_state_size=STATE, ssm_time_step_rank=RANK)
SSM2 = SSM | dict(ssm_group_count=GROUPS)


def layered(every, attention, other):
    """Tensors of six layers, of which each ``every``-th attends to all that is held."""
    return [attention if (i + 1) % every == 0 else other for i in range(6)]


def grouped(layers, name="attn_k"):
    """Key heads by layer: 0 where there is no attention."""
    return [KV_HEADS if name in layer else 0 for layer in layers]


LFM2 = layered(3, PLAIN | ATTENTION | NORMED, PLAIN | CONV)
JAMBA = layered(3, PLAIN | ATTENTION, PLAIN | MAMBA)
GRANITE_HYBRID = layered(3, PLAIN | ATTENTION, PLAIN | MAMBA2)
QWEN = {name: shape for name, shape in PLAIN.items() if name != "ffn_norm"}
QWEN |= {"post_attention_norm": (WIDTH,)}
GATED = ATTENTION | NORMED | {"attn_q": (2 * HEADS * HEAD, WIDTH)}
QWEN35 = layered(3, QWEN | GATED, QWEN | DELTA)
RANK_KV, TURNED = 32, 8  # of latent attention, whose values are a part of its keys
LATENT = {
    "attn_q_a": (24, WIDTH),
    "attn_q_a_norm": (24,),
    "attn_q_b": (HEADS * HEAD, 24),
    "attn_kv_a_mqa": (RANK_KV + TURNED, WIDTH),
    "attn_kv_a_norm": (RANK_KV,),
    "attn_k_b": (HEADS, RANK_KV, HEAD - TURNED),
    "attn_v_b": (HEADS, HEAD, RANK_KV),
    "attn_output": (WIDTH, HEADS * HEAD),
}
EXPERTS = 4
MIXTURE = {
    "ffn_gate_inp": (EXPERTS, WIDTH),
    "ffn_gate_exps": (EXPERTS, HIDDEN, WIDTH),
    "ffn_up_exps": (EXPERTS, HIDDEN, WIDTH),
    "ffn_down_exps": (EXPERTS, WIDTH, HIDDEN),
    "ffn_gate_inp_shexp": (WIDTH,),
    "ffn_gate_shexp": (HIDDEN, WIDTH),
    "ffn_up_shexp": (HIDDEN, WIDTH),
    "ffn_down_shexp": (WIDTH, HIDDEN),
}
SPARSE = {name: shape for name, shape in QWEN.items() if "ffn" not in name} | MIXTURE
QWEN35_MOE = layered(3, SPARSE | GATED, SPARSE | DELTA)
QWEN35_FIELDS = dict(
    rope_dimension_count=8,
    rope_dimension_sections=[2, 1, 1, 0],
    full_attention_interval=3,
    **dict(ssm_conv_kernel=4, ssm_state_size=16, ssm_group_count=2),
    **dict(ssm_time_step_rank=4, ssm_inner_size=64),
)
GEMMA = [PLAIN | ATTENTION | NORMED | POST] * 6
NEMOTRON = [
    dict(attn_norm=(WIDTH,)) | own
    for own in (MAMBA2, ATTENTION, dict(ffn_up=PLAIN["ffn_up"], ffn_down=PLAIN["ffn_down"])) * 2
]
FAMILIES = {
    "lfm2": (LFM2, dict(head_count_kv=grouped(LFM2), shortconv_l_cache=3)),
    "qwen35": (QWEN35, QWEN35_FIELDS),
    "qwen35moe": (
        QWEN35_MOE,
        dict(
            expert_count=EXPERTS,
            expert_used_count=2,
            expert_feed_forward_length=HIDDEN,
            expert_shared_feed_forward_length=HIDDEN,
            **QWEN35_FIELDS,
        ),
    ),
    "granitehybrid": (
        GRANITE_HYBRID,
        dict(head_count_kv=grouped(GRANITE_HYBRID), rope_dimension_count=HEAD, **SSM2, **GRANITE),
    ),
    "jamba": (JAMBA, dict(head_count_kv=grouped(JAMBA), **SSM)),
    "falcon-h1": ([PLAIN | ATTENTION | MAMBA2] * 3, SSM2),
    "nemotron_h": (
        NEMOTRON,
        dict(
            head_count_kv=grouped(NEMOTRON),
            feed_forward_length=[HIDDEN if "ffn_up" in layer else 0 for layer in NEMOTRON],
            rope_dimension_count=HEAD,
            layer_norm_eps=1e-5,
            **SSM2,
        ),
    ),
    "gemma3": (GEMMA, dict(sliding_window=WINDOW)),
    "gemma4": (
        [layer | dict(attn_output=(WIDTH, HEADS * HEAD)) for layer in GEMMA],
        dict(
            sliding_window=WINDOW,
            sliding_window_pattern=[True, True, False] * 2,
            shared_kv_layers=3,
            key_length_swa=HEAD,
            value_length_swa=HEAD,
            embedding_length_per_layer_input=0,
        ),
    ),
    "qwen2": ([PLAIN | ATTENTION | BIASED] * 3, {}),
    "qwen3": ([PLAIN | ATTENTION | NORMED] * 3, {}),
    "granite": ([PLAIN | ATTENTION] * 3, dict(rope_dimension_count=HEAD, **GRANITE)),
    "deepseek2": (
        [PLAIN | LATENT] * 3,
        dict(
            head_count_kv=1,
            rope_dimension_count=TURNED,
            q_lora_rank=24,
            kv_lora_rank=RANK_KV,
            key_length=RANK_KV + TURNED,
            value_length=RANK_KV,
            key_length_mla=HEAD,
            value_length_mla=HEAD,
            leading_dense_block_count=3,
            expert_feed_forward_length=HIDDEN,
            expert_count=0,
            expert_used_count=0,
            expert_shared_count=0,
            expert_weights_scale=1.0,
        ),
    ),
    "qwen2vl": ([PLAIN | ATTENTION | BIASED] * 3, dict(rope_dimension_sections=[4, 2, 2, 0])),
}
"""By architecture: tensors of each layer, and fields of the header that are not every family's."""
UNFIT = {
    "mamba": ([dict(attn_norm=(WIDTH,)) | BARE_MAMBA] * 2, SSM),
    "gemma-embedding": (GEMMA, dict(sliding_window=WINDOW, causal_attention=False)),
}
"""Families in which nothing can be managed."""


def write_hybrid(path, family):
    """A random model of a family of ``FAMILIES``, or of ``UNFIT``, in a file; its path."""
    layers, given = (FAMILIES | UNFIT)[family]
    writer, size = _begun(path, family, layers=len(layers), **given)
    random = np.random.default_rng(0)

    def add(name, shape):
        made = random.standard_normal(shape)
        if name.endswith("ssm_a"):
            made = -np.abs(made)
        elif name.endswith("post_ffw_norm"):  # ggml's GELU rounds to float16: little of it
            made *= 0.01
        elif "norm" in name:
            made = 1 + 0.1 * made
        elif name == "token_embd" and family.startswith("gemma"):  # which it scales
            made /= np.sqrt(WIDTH)
        elif len(shape) > 1 and "conv" not in name and shape[-1] > 1:
            made /= np.sqrt(shape[-1])
        bare = name.endswith((".bias", "ssm_a", "ssm_d")) or (
            family == "falcon-h1" and name.endswith("ffn_norm")
        )
        writer.add_tensor(name if bare else f"{name}.weight", made.astype(np.float32))

    add("token_embd", (size, WIDTH))
    add("output", (size, WIDTH))
    add("token_embd_norm" if family == "lfm2" else "output_norm", (WIDTH,))
    if family == "gemma4":
        add("rope_freqs", (HEAD // 2,))
    for number, layer in enumerate(layers):
        for name, shape in layer.items():
            add(f"blk.{number}.{name}", shape)
    gguf_files.ended(writer)
    return path


def write_gemma_3(path):
    """A random Gemma 3 in a file; the same model of transformers."""
    import gguf  # noqa: PLC0415  (optional)
    import torch  # noqa: PLC0415
    from transformers import Gemma3ForCausalLM, Gemma3TextConfig  # noqa: PLC0415

    writer, size = _begun(
        path, "gemma3", layers=len(GEMMA), rope_freq_base=1e5, sliding_window=WINDOW
    )
    given = dict(vocab_size=size, hidden_size=WIDTH, intermediate_size=HIDDEN, head_dim=HEAD)
    given |= dict(num_hidden_layers=len(GEMMA), num_attention_heads=HEADS, sliding_window=WINDOW)
    given |= dict(num_key_value_heads=KV_HEADS, query_pre_attn_scalar=HEAD, rms_norm_eps=1e-5)
    ropes = {"full_attention": 1e5, "sliding_attention": 1e4}
    given["rope_parameters"] = {
        kind: dict(rope_type="default", rope_theta=theta) for kind, theta in ropes.items()
    }
    given["layer_types"] = ["sliding_attention"] * 5 + ["full_attention"]
    model = Gemma3ForCausalLM(
        Gemma3TextConfig(**given, max_position_embeddings=CONTEXT, tie_word_embeddings=True)
    ).eval()
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.GEMMA3, len(GEMMA))
    random = np.random.default_rng(0)
    for name, weight in model.named_parameters():
        made = random.standard_normal(weight.shape).astype(np.float32)
        made = made / np.float32(np.sqrt(WIDTH)) if made.ndim > 1 else 1 + 0.1 * made
        if "post_feedforward" in name:  # as above
            made *= 0.01
        writer.add_tensor(names.get_name(name, (".weight",)), made.astype(np.float32))
        with torch.no_grad():  # its norms scale by one more than their weights
            weight.copy_(torch.from_numpy(made - (made.ndim == 1)))
    gguf_files.ended(writer)
    return model


def _begun(path, family, *, layers, **given):
    """A writer after the header, and the size of the vocabulary."""
    tokenizer = byte_tokenizer()
    fields = dict(
        block_count=layers,
        context_length=CONTEXT,
        embedding_length=WIDTH,
        feed_forward_length=HIDDEN,
        head_count=HEADS,
        head_count_kv=KV_HEADS,
        key_length=HEAD,
        value_length=HEAD,
        layer_norm_rms_eps=1e-5,
        rope_freq_base=1e4,
        vocab_size=len(tokenizer) + 1,
    )
    writer = gguf_files.begun(path, family, **fields | given)
    gguf_files.add_tokenizer(writer, tokenizer, 2)
    return writer, fields["vocab_size"]
