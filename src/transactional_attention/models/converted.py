"""GGUF files as folders that transformers reads, converted once and kept in the user's cache.

A folder is known by the checksum of its GGUF. It is written beside its place and renamed when it is
whole, so that nobody finds half of one and two processes may convert at once. What a killed process
left goes with the next conversion: its lock is free. A folder whose files are not those that were
written is made anew.

Weights are kept in float16, unless the file holds matrices in float32 or bfloat16, which stay. The
values of a quantised block are a scale times a few bits. Float16 rounds them by at most an eighth
of the error that Q8_0 made itself, and by less of what fewer bits made; bfloat16, by up to as much
as Q8_0 did. Float32 would take twice the space.
"""

from __future__ import annotations

import errno
import hashlib
import json
import logging
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from uuid import uuid4

from filelock import FileLock, Timeout
from safetensors import SafetensorError

from ..errors import InputError, UnsupportedError, install_extra
from ..files import write_whole
from ..gguf.files import MAGIC
from .installed import need_transformers

if TYPE_CHECKING:
    import torch

log = logging.getLogger(__name__)

FORMAT = 1  # raised when what is written changes
UNFINISHED, LOCK, SEAL = "unfinished-", ".lock", "written.json"
BLOCK, BLOCKS = 1 << 14, 256  # bytes; of a larger file that many are looked at
CHECKSUM = re.compile(r"[0-9a-f]{64}")
MARK = "\u2402"
CHAT = [{"role": "user", "content": "?"}, {"role": "assistant", "content": MARK}]


def cache_folder() -> Path:
    """``$TA_CACHE``, otherwise the user's cache folder, by the rule of the hub's."""
    if folder := os.environ.get("TA_CACHE"):
        return Path(folder).expanduser()
    parent = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(parent).expanduser() / "transactional-attention"


def model_folder(gguf: Path) -> Path:
    """The folder of a GGUF: weights, configuration, tokenizer. Raises InputError for a file that is
    no GGUF or truncated, without the packages that read one, or for a cache folder that cannot be
    written; UnsupportedError for a GGUF that transformers cannot convert."""
    return _kept(gguf, "model", _write_model)


def tokenizer_folder(gguf: Path) -> Path:
    """A folder with the tokenizer of a GGUF; its weights are not converted for it.

    Raises: as ``model_folder``.
    """
    model = _place(gguf, "model")
    return model if _is_whole(model) else _kept(gguf, "tokenizer", _write_tokenizer)


def sha256_of(gguf: Path) -> str:
    """Checksum of a file, remembered for its path, size, times, inode and a sample of its bytes.
    Raises InputError for a file that cannot be read or is no GGUF."""
    try:
        stat, path = gguf.stat(), gguf.resolve()
        with gguf.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise InputError(f"{gguf} is no GGUF file: give one, a model's folder or a name")
            identity = stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino
            key = f"{path}\n{identity}\n{_sampled(file, stat.st_size)}".encode()
            remembered_file = cache_folder() / "seen" / hashlib.sha256(key).hexdigest()
            if remembered_file.is_file() and CHECKSUM.fullmatch(
                remembered := remembered_file.read_text(errors="replace")
            ):
                return remembered
            file.seek(0)
            checksum = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {gguf}: {error.strerror}") from None
    with _keeping():
        remembered_file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(remembered_file, checksum.encode("ascii"), 0o644)
    return checksum


def _sampled(file: BinaryIO, size: int) -> str:
    """Checksum of the size of a file and of blocks all over it, all of it where it is small."""
    digest, last = hashlib.sha256(str(size).encode()), max(size - BLOCK, 0)
    for number in range(BLOCKS):
        file.seek(max(last * number // (BLOCKS - 1), 0))
        digest.update(file.read(BLOCK))
    return digest.hexdigest()


def _contents(folder: Path) -> dict[str, str]:
    """What is known of the files of a folder: the name of each, and its ``_sampled``."""
    checksums = {}
    for path in sorted(folder.iterdir()):
        if path.name != SEAL:
            with path.open("rb") as file:
                checksums[path.name] = _sampled(file, path.stat().st_size)
    return checksums


def _is_whole(folder: Path) -> bool:
    """Whether a folder holds what was written to it."""
    try:
        return bool(json.loads((folder / SEAL).read_bytes()) == _contents(folder))
    except (OSError, ValueError, RecursionError):
        return False


def _place(gguf: Path, kind: str) -> Path:
    return cache_folder() / f"{kind}-{FORMAT}" / sha256_of(gguf)


def _kept(gguf: Path, kind: str, write: Callable[[Path, Path], None]) -> Path:
    place = _place(gguf, kind)
    if _is_whole(place):
        return place
    if place.exists():
        log.warning("%s is damaged or of an older release: converting %s anew", place, gguf)

    def sealed(part: Path) -> None:
        write(gguf, part)
        (part / SEAL).write_text(json.dumps(_contents(part)), encoding="utf-8")

    with _keeping():
        _put(place, sealed)
    return place


def _put(place: Path, write: Callable[[Path], Any]) -> None:
    """Let ``write`` make a folder elsewhere, which takes its place when it is whole."""
    place.parent.mkdir(parents=True, exist_ok=True)
    _clear(place.parent)
    with _unfinished(place.parent / f"{UNFINISHED}{uuid4().hex}") as folder:
        part = folder / place.name
        write(part)
        while not _is_whole(place):  # otherwise another process was first, with the same
            with suppress(FileNotFoundError):
                place.rename(folder / uuid4().hex)
            try:
                part.rename(place)
                return
            except OSError as error:  # one came in between
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise


@contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """A folder that lasts as long as the block; its lock says that somebody works in it."""
    lock = Path(f"{folder}{LOCK}")
    with FileLock(lock, timeout=0):
        folder.mkdir(exist_ok=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            lock.unlink(missing_ok=True)


def _clear(parent: Path) -> None:
    """Remove what processes left that were killed while they converted. A lock without its folder
    may be one that is just being taken."""
    for path in parent.glob(f"{UNFINISHED}*"):
        if path.is_dir():
            with suppress(Timeout), _unfinished(path):
                pass


@contextmanager
def _keeping() -> Iterator[None]:
    try:
        yield
    except (OSError, SafetensorError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"cannot write to the cache folder {cache_folder()}: {why}; "
            "make room there, or set TA_CACHE to another folder"
        ) from None


def _write_tokenizer(gguf: Path, folder: Path) -> None:
    _open(gguf)
    with _converting(gguf):
        from transformers import AutoTokenizer  # noqa: PLC0415  (slow)

        tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    tokenizer.save_pretrained(folder)


def _write_model(gguf: Path, folder: Path) -> None:
    header = _open(gguf)
    tokens = tokenizer_folder(gguf)
    with _converting(gguf):
        import torch  # noqa: PLC0415  (slow)
        from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415  (slow)

        tokenizer = AutoTokenizer.from_pretrained(tokens)
        loaded: Any = AutoModelForCausalLM.from_pretrained(
            gguf.parent, gguf_file=gguf.name, dtype=torch.float32, output_loading_info=True
        )
        read, report = loaded
        if report["missing_keys"]:
            names = sorted(report["missing_keys"])
            raise ValueError(f"{len(names)} tensors are not in it, the first is {names[0]}")
        model = _unquantised(AutoModelForCausalLM, read).to(_kept_dtype(header))
    model.generation_config = read.generation_config
    end_ids = model.generation_config.eos_token_id
    ends = {*(end_ids if isinstance(end_ids, list) else [] if end_ids is None else [end_ids])}
    ends |= {*turn_ends(tokenizer)}
    ends |= {int(end) for end in _values(header, "tokenizer.ggml.eot_token_id")}
    model.generation_config.eos_token_id = sorted(ends) or None
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _open(gguf: Path) -> Any:
    """The header of a GGUF whose tensors are all there, as the package ``gguf`` reads it. Raises
    InputError without the packages, or for a truncated or damaged file; UnsupportedError for what
    transformers would read without a word, and wrongly."""
    need_transformers()
    missing = [name for name in ("gguf", "accelerate") if find_spec(name) is None]
    if missing:
        raise InputError(
            f"{gguf.name}: reading a GGUF needs {' and '.join(missing)}: {install_extra('gguf')}"
        )
    from gguf import GGUFReader  # noqa: PLC0415  (optional)

    try:
        header = GGUFReader(gguf)
    except Exception as error:  # of any kind: the reader takes lengths from the file as they are
        raise InputError(
            f"{gguf} is truncated or damaged, get it again ({_first_line(error)})"
        ) from None
    if any(count > 1 for count in _values(header, "split.count")):
        raise UnsupportedError(f"{gguf} is one of several parts: join them with llama-gguf-split")
    (kind,) = _values(header, "general.architecture") or ("unknown",)
    scaled = _values(header, f"{kind}.rope.scaling.type") not in ([], ["none"])
    factors = any(tensor.name.startswith("rope_f") for tensor in header.tensors)
    if kind != "gpt-oss" and (scaled or factors):
        raise UnsupportedError(
            f"{gguf}: transformers does not read its scaled positions from a GGUF: give the "
            "model's own folder or hub name"
        )
    return header


def _values(header: Any, name: str) -> list[Any]:
    """The value of a field in a list, which is empty where there is none."""
    field = header.fields.get(name)
    return [] if field is None else [field.contents()]


def _kept_dtype(header: Any) -> torch.dtype:
    import torch  # noqa: PLC0415  (slow)

    kinds = {tensor.tensor_type.name for tensor in header.tensors if len(tensor.shape) > 1}
    if kinds & {"F32", "F64"}:
        return torch.float32
    return torch.bfloat16 if "BF16" in kinds else torch.float16


def _unquantised(auto: Any, read: Any) -> Any:
    """The same model, as one that can be saved: it does not know that it was quantised."""
    import torch  # noqa: PLC0415  (slow)

    config = read.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    with torch.device("meta"):
        model = auto.from_config(config)
    model.load_state_dict(read.state_dict(), assign=True)
    model.tie_weights()
    return model


@contextmanager
def _converting(gguf: Path) -> Iterator[None]:
    """What transformers cannot do with a GGUF, in one line; it says so by errors of any kind."""
    try:
        yield
    except Exception as error:
        raise UnsupportedError(
            f"transformers cannot read {gguf}: {_first_line(error)}; give the model's own folder "
            "or hub name, or try a newer transformers"
        ) from None


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).split("\n")[0][:300]


def turn_ends(tokenizer: Any) -> list[int]:
    """The special token that a template writes after what the assistant said, if it does."""
    if not getattr(tokenizer, "chat_template", None):
        return []
    try:
        text = tokenizer.apply_chat_template(CHAT, tokenize=False)
    except Exception:  # a template may refuse any chat, in its own words
        return []
    _, _, after = text.rpartition(MARK)
    ids = tokenizer(after.lstrip(), add_special_tokens=False)["input_ids"][:1]
    added = {token for token, piece in tokenizer.added_tokens_decoder.items() if piece.special}
    return [token for token in ids if token in added or token in tokenizer.all_special_ids]
