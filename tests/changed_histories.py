"""Messages edited in the middle of a conversation: what a session reads again, and that it then is
as one that reads them for the first time, whatever an engine is."""

from shared_beginnings import OFF, SYSTEM, WALK, turn

TURNS = 8


def prompt(number, edited=None):
    """The chat up to a turn's question, of which one may be edited. Its replies are none that the
    model said, so every turn goes on after the question of the one before."""
    chat = [SYSTEM]
    for n in range(number + 1):
        content = f"Turn {n}. {WALK * 2}My pin: 99{n}31."
        chat.append({"role": "user", "content": content + (" Please." if n == edited else "")})
        if n < number:
            chat.append({"role": "assistant", "content": f"Noted, {n}."})
    return chat


def check_edits(start, folder=None):
    """Of the first, a middle and the last question, each in a session of its own. ``start(folder)``
    gives a server; with a folder it is another one that is sent the edit."""
    server = start(folder, OFF)
    borders = []
    for edited in (0, TURNS // 2, TURNS - 1):
        name = f"edit-{edited}"
        borders = [turn_of(server, prompt(n), name)[0] for n in range(TURNS)]
    if folder is not None:
        server.stop()
        server = start(folder, OFF)
    kept = []
    for edited in (0, TURNS // 2, TURNS - 1):
        asked = prompt(TURNS - 1, edited)
        length, outcome = turn_of(server, asked, f"edit-{edited}")
        kept.append(outcome[0])
        fresh = start(None, OFF)  # reads the turns before the edit alone, then what was asked
        before = [n for n in range(TURNS) if borders[n] <= outcome[0] + HEADER]
        for n in before:
            turn_of(fresh, prompt(n), "fresh")
        assert turn_of(fresh, asked, "fresh") == (length, outcome)
        changed = borders[edited - 1] if edited else 0
        assert length - outcome[0] <= 2 * (length - changed)
    assert kept[0] == 0 < kept[1] < kept[2]


HEADER = len("<|im_start|>assistant\n")


def turn_of(server, chat, name):
    """Tokens of a prompt, and what ``turn`` gives: tokens not read, all that was held and said."""
    chat = list(chat)
    outcome = turn(server, chat, session=name)
    tokenizer = server.engine.tokenizer
    ids = tokenizer.apply_chat_template(chat[:-1], add_generation_prompt=True, tokenize=False)
    return len(tokenizer(ids, add_special_tokens=False)["input_ids"]), outcome
