"""Compacted block tables, on tensors; the wrapper around backends of cards is read, not run."""

from importlib.util import find_spec

import pytest
import torch

pytestmark = pytest.mark.filterwarnings("ignore")


def metadata(table, lengths):
    from vllm.v1.attention.backend import CommonAttentionMetadata  # noqa: PLC0415  (optional)

    table, lengths = torch.tensor(table, dtype=torch.int32), torch.tensor(lengths)
    starts = torch.arange(len(lengths) + 1, dtype=torch.int32)
    return CommonAttentionMetadata(
        query_start_loc=starts,
        query_start_loc_cpu=starts,
        seq_lens=lengths.to(torch.int32),
        num_reqs=len(lengths),
        num_actual_tokens=len(lengths),
        max_query_len=1,
        max_seq_len=int(lengths.max()),
        block_table_tensor=table,
        slot_mapping=torch.zeros(len(lengths), dtype=torch.int64),
        seq_lens_cpu_upper_bound=lengths.to(torch.int32),
    )


def test_null_blocks_leave_the_table_and_their_tokens_the_length():
    from transactional_attention.engines.vllm.backends import compacted  # noqa: PLC0415

    rows = [
        [5, 0, 7, 0, 9, 4],  # what is after the fifth block is of another request
        [3, 4, 0, 0, 0, 0],  # nothing left: what is after is unused
        [6, 0, 0, 8, 0, 0],
    ]
    given = metadata(rows, [70, 32, 50])
    batch = compacted(given, 16, on_host=True)
    assert batch.seq_lens.tolist() == [70 - 32, 32, 50 - 32]
    assert batch.seq_lens_cpu_upper_bound.tolist() == batch.seq_lens.tolist()
    left = [row[: -(-n // 16)].tolist() for row, n in zip(batch.block_table_tensor, batch.seq_lens)]
    assert left == [[5, 7, 9], [3, 4], [6, 8]]
    assert given.block_table_tensor.tolist() == rows  # it may be the runner's own


def test_lengths_on_the_host_are_left_where_nobody_reads_them():
    from transactional_attention.engines.vllm.backends import compacted  # noqa: PLC0415

    batch = compacted(metadata([[5, 0, 7]], [48]), 16)
    assert (batch.seq_lens.tolist(), batch.seq_lens_cpu_upper_bound.tolist()) == ([32], [48])


def test_a_block_of_the_pool_may_be_several_of_the_kernel():
    from transactional_attention.engines.vllm.backends import compacted  # noqa: PLC0415

    batch = compacted(metadata([[4, 5, 0, 1, 8, 9]], [90]), 16, null=2)
    assert batch.seq_lens.tolist() == [58]
    assert batch.block_table_tensor[0, :4].tolist() == [4, 5, 8, 9]


def test_warm_up_rows_have_no_blocks_yet_and_stay():
    from transactional_attention.engines.vllm.backends import compacted  # noqa: PLC0415

    batch = compacted(metadata([[0, 0, 0]], [40]), 16)
    assert batch.seq_lens.tolist() == [40]


@pytest.mark.parametrize("name", ["CPU_ATTN", "FLASH_ATTN", "FLASHINFER"])
def test_backends_are_those_of_vllm_with_another_builder_and_spec(name):
    from vllm.v1.attention.backends.registry import AttentionBackendEnum  # noqa: PLC0415
    from vllm.v1.kv_cache_interface import FullAttentionSpec  # noqa: PLC0415

    from transactional_attention.engines.vllm import backends, plugin  # noqa: PLC0415
    from transactional_attention.engines.vllm.manager import RetentionSpec  # noqa: PLC0415

    if name == "FLASHINFER" and find_spec("flashinfer") is None:
        pytest.skip("needs flashinfer: the wheel for processors is without")
    plugin.activate()
    backend = AttentionBackendEnum[name].get_class()
    assert backend is getattr(backends, name)
    assert backend.get_builder_cls().build is not backend.__bases__[0].get_builder_cls().build
    sizes = {"block_size": 32, "num_kv_heads": 2, "head_size": 64, "dtype": torch.float32}
    assert type(backend.customize_spec(FullAttentionSpec(**sizes))) is RetentionSpec
    window = FullAttentionSpec(**sizes, sliding_window=128)
    assert backend.customize_spec(window) is window
