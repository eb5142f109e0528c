"""``ta generate`` on a model that was taught to chat: its template, messages, tools; bad files."""

import json

import pytest

import transactional_attention as ta_package
from scenes import byte_tokenizer
from teacher_forced import tiny_llama
from transactional_attention.cli.prompts import in_template, read_chat

TEMPLATE = (
    "{% if tools %}<s>tools\n{{ tools | tojson }}</s>{% endif %}{% for m in messages %}"
    "{% if m.role == 'robot' %}{{ raise_exception('no robots here') }}{% endif %}"
    "<s>{{ m.role }}\n{{ m.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<s>assistant\n{% endif %}"
)
ASK, ANSWER = "What is new?", "<s>assistant\n"
MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": ASK},
    {"role": "assistant", "content": "Nothing."},
    {"role": "tool", "content": "api_key: QX7K"},
]
TOOLS = [{"type": "function", "function": {"name": "read", "parameters": {}}}]
TURNS = "".join(f"<s>{m['role']}\n{m['content']}</s>" for m in MESSAGES)
FLAGS = ("--budget", 64, "--max-new-tokens", 2)


@pytest.fixture(scope="module")
def chat_model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chat")
    tiny_llama(vocab_size=len(byte_tokenizer())).save_pretrained(folder)
    byte_tokenizer(TEMPLATE).save_pretrained(folder)
    return folder


@pytest.fixture
def read(recorded, chat_model):
    """The number of tokens that a command read, and whether they were a chat."""

    def run(*arguments, stdin=b"", model=chat_model):
        _, record = recorded("generate", *FLAGS, *arguments, "--model", model, stdin=stdin)
        return record["prompt_tokens"], record["provenance"]["arguments"]["chat"]

    return run


def write(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def tokens(text):
    return len(byte_tokenizer()(text).input_ids)


def test_a_plain_prompt_is_what_the_user_says(read):
    prompt = f"<s>user\n{ASK}</s>{ANSWER}"
    assert read("-", stdin=ASK.encode()) == (tokens(prompt), True)
    assert read("-", "--chunk", 8, stdin=ASK.encode()) == (tokens(prompt), True)
    assert read("-", stdin=f"{ASK}\r\n\n".encode()) == (tokens(prompt), True)
    assert read("-", "--raw", stdin=ASK.encode()) == (tokens(ASK), False)
    assert read("-", "--raw", "--chunk", 8, stdin=ASK.encode()) == (tokens(ASK), False)
    _, chat = read(
        "-", stdin=ASK.encode(), model="embedded"
    )  # it completes text, though it has a template
    assert not chat


@pytest.mark.parametrize("method", ["ta", "snapkv", "kvzip"])
def test_messages_are_read_in_the_template(read, tmp_path, method):
    path = write(tmp_path / "m.json", MESSAGES)
    flags = ("--messages", path, "--method", method)
    assert read(*flags) == (tokens(TURNS + ANSWER), True)
    asked = f"{TURNS}<s>user\nAnd now?</s>{ANSWER}"
    assert read(*flags, "--question", "And now?") == (tokens(asked), True)


def test_tools_stand_beside_messages_or_in_a_file_of_their_own(
    read, recorded, tmp_path, chat_model
):
    chat_file = write(tmp_path / "both.json", {"messages": MESSAGES, "tools": TOOLS})
    alone, tools = write(tmp_path / "m.json", MESSAGES), write(tmp_path / "t.json", TOOLS)
    kept = ("--protect-role", "system", "--budget", 512)
    count, _ = read("--messages", chat_file, *kept)
    assert count > tokens(TURNS + ANSWER)
    assert read("--messages", alone, "--tools", tools, *kept) == (count, True)
    asked = ("generate", *FLAGS, "-", "--tools", tools, *kept, "--model", chat_model)
    _, record = recorded(*asked, stdin=ASK.encode())
    assert record["prompt_tokens"] > tokens(f"<s>user\n{ASK}</s>{ANSWER}")
    assert record["provenance"]["arguments"]["protect_roles"] == ["system"]
    _, record = recorded("generate", *FLAGS, "--messages", chat_file, "--model", chat_model)
    assert record["provenance"]["arguments"]["pinned"] == ["system"]
    with pytest.warns(UserWarning, match="definitions of tools may leave.*--pin system"):
        read("--messages", chat_file, "--pin", "none")


def test_who_wrote_a_token_reaches_the_cache(tmp_path, chat_model):
    tokenizer = byte_tokenizer(TEMPLATE)
    chat = read_chat(write(tmp_path / "m.json", MESSAGES), None, "")
    prompt = in_template(None, chat, tokenizer)
    assert [prompt.sources] == ta_package.encode_chat(MESSAGES, tokenizer)[1]
    assert {r.source for r in prompt.sources} == {m["role"] for m in MESSAGES}


BAD = {
    "no JSON": ("[{", "no JSON, line 1"),
    "no list": ('{"role": "user"}', "no list of messages"),
    "empty": ("[]", "no list of messages"),
    "no role": ('[{"role": "user", "content": "a"}, {"content": "SECRET"}]', "entry 2 of messages"),
    "a number": ('[{"role": 7, "content": "SECRET"}]', "entry 1 of messages"),
    "bad tools": ('{"messages": [{"role": "user", "content": "a"}], "tools": [1]}', "of tools"),
    "refused": ('[{"role": "robot", "content": "SECRET"}]', "no robots here"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_no_chat_is_refused_in_one_line(ta, tmp_path, chat_model, name):
    content, reason = BAD[name]
    path = write(tmp_path / "m.json", content)
    done = ta("generate", "--messages", path, "--model", chat_model)
    assert done.status == 2 and reason in done.err and "SECRET" not in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_what_does_not_go_together_is_said(ta, tmp_path, chat_model):
    path, tools = write(tmp_path / "m.json", MESSAGES), write(tmp_path / "t.json", TOOLS)
    chat_file = write(tmp_path / "both.json", {"messages": MESSAGES, "tools": TOOLS})
    plain = tmp_path / "plain"
    tiny_llama(vocab_size=len(byte_tokenizer())).save_pretrained(plain)
    byte_tokenizer().save_pretrained(plain)
    for arguments, reason in (
        (("-", "--messages", path), "exclude each other"),
        (("--messages", path, "--raw"), "leave --messages out"),
        (("--tools", tools, "--raw"), "leave --tools out"),
        (("--messages", chat_file, "--tools", tools), "leave --tools out"),
        (("--messages", path, "--load", "saved"), "--raw"),
        (("--messages", tmp_path / "absent"), "cannot read"),
        (("--messages", path, "--model", plain), "no chat template"),
    ):
        done = ta("generate", "--model", chat_model, *arguments)
        assert done.status == 2 and reason in done.err, done.err


def test_a_saved_chat_goes_on_with_plain_text(ta, tmp_path, chat_model):
    saved, flags = tmp_path / "s", ("--model", chat_model, "--max-new-tokens", 2)
    assert ta("generate", "-", "--save", saved, *flags, stdin=b"A").status == 0
    refused = ta("generate", "-", "--load", saved, *flags, stdin=b"B")
    assert refused.status == 2 and "--raw" in refused.err
    assert ta("generate", "-", "--load", saved, "--raw", *flags, stdin=b"B").status == 0


def test_arguments_of_calls_are_objects_as_templates_take_them(tmp_path):
    function = {"name": "read", "arguments": '{"path": "/etc/motd"}'}
    calls = [{"id": "1", "type": "function", "function": function}]
    odd = [{"function": {"name": "read", "arguments": "5"}}, "none"]
    turns = [{"role": "assistant", "tool_calls": calls}, {"role": "assistant", "tool_calls": odd}]
    chat = read_chat(write(tmp_path / "m.json", turns), None, "")
    assert chat.messages[0]["tool_calls"][0]["function"]["arguments"] == {"path": "/etc/motd"}
    assert chat.messages[1]["tool_calls"] == odd
