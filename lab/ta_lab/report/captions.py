"""What a record is about and where it comes from: the words of a line above its table, by kind."""

from __future__ import annotations

from collections.abc import Callable

from ..benchmarks.tables import model_name
from ..experiments.experiment import Record, Row

Words = list[str]


def _asked(record: Record) -> Row:
    return dict(record["provenance"].get("arguments", {}))


def _commit(record: Record) -> str:
    origin = record["provenance"]
    commits = ", ".join(str(c)[:7] for c in origin.get("commits", [origin.get("commit")]))
    return f"commit {commits}{', modified' * bool(origin.get('dirty'))}"


def _seed(record: Record) -> str:
    return f"seed {record['provenance'].get('seed')}"


def _version(record: Record) -> str:
    return f"transformers {record['provenance']['versions']['transformers']}"


def _model(record: Record) -> str:
    """Its name where it is not the one that ships."""
    model = str(record["provenance"].get("model", "embedded"))
    return "" if model == "embedded" else model


def _sessions(record: Record) -> str:
    return f"{len({unit['session'] for unit in record['units']})} sessions"


def needle(record: Record) -> Words:
    """Of ``ta needle``."""
    asked, depths = _asked(record), len(_asked(record)["depths"])
    return [
        _model(record), f"{asked['context']:,} tokens", f"{asked['filler']} filler",
        f"question {asked['protocol']}", f"{asked['ledger']} ledger", f"{asked['preset']} preset",
        f"{asked['positions']} positions" if asked.get("positions") else "",
        f"{asked['trials'] * depths} cases over {depths} depths",
        _seed(record), _commit(record), _version(record),
    ]  # fmt: skip


def bench(record: Record) -> Words:
    """Of ``ta bench``."""
    origin, asked, machine = record["provenance"], _asked(record), record["provenance"]["machine"]
    rounds = [row["rounds"] for row in record["rows"] if row.get("rounds") is not None]
    dtype, threads = asked.get("dtype"), machine["threads"]
    return [
        model_name(record) + (f" in {dtype}" if dtype != "auto" else ""),
        f"tokenizer {asked['tokenizer']}" if asked.get("tokenizer") else "",
        f"{max(rounds)} rounds" if rounds else "",
        f"{threads} thread{'s' * (threads != 1)}",
        asked.get("card") or f"{machine.get('cpu')} ({machine.get('cpus')} cores)",
        _commit(record), f"torch {origin['versions']['torch']}", _version(record),
        *record.get("notes", ()),
    ]  # fmt: skip


def answered(record: Record) -> Words:
    """Of ``ta reproduce answered``."""
    origin = record["provenance"]
    commits = sorted({c[:7] for row in record["rows"] for c in row.get("commits", ())})
    return [
        f"{origin['model']} in {origin.get('dtype') or 'float32'}", "question hidden",
        "chat format", "on-top ledger", f"{_asked(record)['filler']} filler", _seed(record),
        f"commit {', '.join(commits)}", _version(record),
    ]  # fmt: skip


def collection(record: Record) -> Words:
    """Of ``ta collection score``."""
    asked, tokenizer = _asked(record), record["provenance"]["model"]
    place = [f"{asked['cases']} split", f"tokenizer {tokenizer}", f"K = {asked['budget']}"]
    return [*place, _seed(record), _commit(record)]


def detectors(record: Record) -> Words:
    """Of ``ta collection detectors``."""
    asked, model = _asked(record), record["provenance"]["model"]
    each = f"at most {asked['each']} cases of every family" if "each" in asked else ""
    read = f"model {model}" if model != "none" else ""
    place = [f"{asked['cases']} split", each, "floods left out", read]
    return [*place, _seed(record), _commit(record)]


def rules(record: Record) -> Words:
    """Of ``ta collection rules``."""
    asked, origin = _asked(record), record["provenance"]
    each = f" (at most {asked['each']} cases of every family)" if "each" in asked else ""
    of = f", {asked['sessions']} at K = {asked['budgets']}" if "sessions" in asked else ""
    return [
        f"test split{each} and locked split at K = values+5{of}: {record['units']:,} texts",
        f"tokenizer {origin['model']}", _seed(record), _commit(record),
    ]  # fmt: skip


def sessions(record: Record) -> Words:
    """Of ``ta sessions``."""
    asked = _asked(record)
    return [
        f"{record['provenance']['model']} on {asked['engine']}", asked["file"], _sessions(record),
        f"pinned {asked['pin']}", f"{asked['ledger']} ledger", _commit(record),
    ]  # fmt: skip


def changes(record: Record) -> Words:
    """Of ``ta sessions --changes``."""
    origin, asked = record["provenance"], _asked(record)
    ran = [f"{origin['model']} in {origin.get('dtype')}", "full cache"]
    read = [origin["model"], "no model run"] if asked["engine"] == "none" else ran
    return [*read, asked["file"], _sessions(record), _commit(record)]


def of_experiment(record: Record) -> Words:
    """Of any other experiment of ``ta reproduce``."""
    command = f"`ta reproduce {record['experiment']}`"
    filler = f"{_asked(record)['filler']} filler"
    return [_model(record), command, filler, _seed(record), _commit(record)]


CAPTIONS: dict[str, Callable[[Record], Words]] = {
    "": needle, "bench": bench, "answered": answered, "collection": collection,
    "detectors": detectors, "rules": rules, "sessions": sessions, "changes": changes,
    "likelihood": sessions,
}  # fmt: skip
