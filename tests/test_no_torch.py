"""All but the engine transformers and what measures with torch runs where torch is absent."""

import ast
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import transactional_attention as ta

HOME = Path(ta.__file__).parent
OF_TORCH = (  # packages and modules that load torch when they are loaded
    *("engines/transformers/", "engines/kvpress/", "engines/vllm/", "engines/lm_eval.py"),
    *("cli/transformers.py", "cli/transcript.py", "cli/demo_memory.py"),
)
EXTRAS = {*"cffi fastapi prometheus_client pydantic pydantic_core starlette uvicorn".split()}
REMEDY = "in a clone of transactional-attention: pip install '.[transformers]'"
WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(["torch", "transformers"]))
import transactional_attention.laboratory
transactional_attention.laboratory.brought = lambda kind: {}  # its commands are loaded for --help
"""
NOTE = "It rained all day.\nThe door code is 730184.\nNobody came by.\n"


def module_of(path):
    return ".".join(("transactional_attention", *path.with_suffix("").parts)).removesuffix(
        ".__init__"
    )


CORE = [
    path
    for path in sorted(each.relative_to(HOME) for each in HOME.rglob("*.py"))
    if not path.as_posix().startswith(OF_TORCH)
]


def without(code, *arguments):
    """Code in a process that has neither torch nor transformers."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code, *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "200"},
        timeout=300,
    )


def run(*arguments):
    """A command of ``ta``."""
    return without("from transactional_attention.cli import main\nmain()", *arguments)


@pytest.fixture
def note(tmp_path):
    (tmp_path / "note.txt").write_text(NOTE)
    return tmp_path / "note.txt"


def loaded(path):
    """Names of the packages that a file imports when it is loaded, but those of types."""
    waiting = [*ast.parse((HOME / path).read_text(encoding="utf-8")).body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            typing = isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
            waiting += [] if typing else ast.iter_child_nodes(node)


@pytest.mark.parametrize("path", CORE, ids=str)
def test_the_core_does_not_import_torch_when_it_is_loaded(path):
    assert not {"torch", "transformers", "tokenizers", "huggingface_hub"} & set(loaded(path))


def test_an_import_of_torch_is_seen():
    assert "torch" in set(loaded(Path("engines/transformers/tensor_file.py")))


def test_every_module_of_the_core_is_loaded_without_torch():
    code = f"""
from importlib import import_module
for name in {[module_of(path) for path in CORE]}:
    try:
        import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name.partition(".")[0] not in {EXTRAS}:
            raise
print("all")
"""
    done = without(code)
    assert done.stdout == "all\n", done.stderr


@pytest.mark.parametrize("command", ["--help", "methods", "plan FILE", "inspect FILE"])
def test_commands_that_run_no_model_need_no_torch(note, command):
    budget = ["--budget", "24"] if "FILE" in command else []
    done = run(*command.replace("FILE", str(note)).split(), *budget)
    assert done.returncode == 0 and done.stdout, done.stderr


@pytest.mark.parametrize("command", ["demo", "demo --threads 1", "generate FILE"])
def test_what_runs_on_transformers_says_what_to_install(note, command):
    done = run(*command.replace("FILE", str(note)).split())
    assert done.returncode == 2 and not done.stdout
    assert done.stderr.count("\n") == 1 and REMEDY in done.stderr


SERVE = [("serve",)] if find_spec("uvicorn") else []  # without it `ta serve` asks for it first


@pytest.mark.parametrize("threads", [(), ("--threads", 1)])
def test_a_name_that_is_no_file_is_refused(note, threads):
    for command in (*SERVE, ("generate", note), ("plan", note)):
        done = run(*command, "--model", "qwen3-4b", *(threads if "plan" not in command else ()))
        assert done.returncode == 2 and done.stderr == (
            "error: qwen3-4b is no file here and no model of this package: give a GGUF file, or "
            f"install transformers for models by name: {REMEDY}\n"
        )


@pytest.mark.parametrize("command", [*("serve" for _ in SERVE), "generate FILE"])
def test_without_a_model_a_file_is_asked_for(note, command):
    done = run(*command.replace("FILE", str(note)).split())
    assert done.returncode == 2
    assert "embedded model needs torch and transformers: give --model FILE.gguf" in done.stderr


@pytest.mark.parametrize("command", ["plan", "inspect"])
def test_a_tokenizer_that_cannot_be_read_is_named_as_users_know_it(note, command):
    code = "sys.modules['tokenizers'] = None\nfrom transactional_attention.cli import main\nmain()"
    done = without(code, command, note)
    assert done.returncode == 2 and done.stderr == (
        "error: the embedded model's tokenizer needs the package tokenizers: pip install "
        "tokenizers, or give --model FILE.gguf\n"
    )


def test_public_names_of_the_engine_say_what_to_install():
    code = """
import transactional_attention as ta
for name in ta.__all__:
    try:
        getattr(ta, name)
    except ta.UnsupportedError as error:
        print(name, error)
"""
    lines = without(code).stdout.splitlines()
    engine = [name for name, (home, _) in ta.WHERE.items() if home.startswith("engines.")]
    assert [line.split()[0] for line in lines] == sorted(engine)
    assert all(line.endswith(REMEDY) for line in lines)


def test_public_names_are_there():
    for name in ta.__all__:
        assert name in dir(ta) and getattr(ta, name) is not None
    assert {*ta.WHERE, "METHODS", "__version__"} == set(ta.__all__)
    with pytest.raises(AttributeError, match="no_such_name"):
        ta.no_such_name  # noqa: B018
