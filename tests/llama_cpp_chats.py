"""A chat that states values early and asks for one of them late, and the answers of a session."""

from scenes import VALUES
from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.engines.sampling import Sampling

LINES = "".join(f"{label}: {value}\n" for label, value in VALUES.items())
IDLE = "It rained all day.\n"
SYSTEM = {"role": "system", "content": f"Be brief. {'Never guess. ' * 40}"}
CHAT = [
    SYSTEM,
    {"role": "user", "content": f"{LINES}{IDLE * 12}"},
    {"role": "assistant", "content": "Noted."},
    {"role": "user", "content": f"{IDLE * 6}What is the gate code?"},
]


def answers(session, tokenizer, messages, count=12):
    """Greedy tokens of one turn."""
    said = []
    for token in session.steps(chat_prompt(tokenizer, messages), Sampling()):
        if token is not None:
            said.append(token.id)
        if len(said) == count:
            break
    session.settle()
    return said
