"""Tools that a transcript calls: functions with one argument, and how a system lists them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass

from ..facts import is_held_out
from ..values import ALNUM, HEX, LOWER_ALNUM, UPPER_ALNUM, WORDS, characters, code8
from .format_keys import clashes, spelled, unspaced_value

ENTITIES = (
    "order ticket user customer invoice shipment booking session account device payment job build "
    "project document file message incident subscription contract patient employee vehicle claim "
    "report asset product room flight reservation task case refund license deployment cluster "
    "server database bucket queue webhook event lead campaign repository branch release container "
    "image volume certificate wallet transaction card coupon voucher survey course student policy "
    "appointment prescription sensor meter parcel backup snapshot workspace channel thread page "
    "model dataset experiment run alert dashboard pipeline record member listing address"
).split()
SUFFIXES = "id id id id id id number code token key reference name uuid slug hash".split()
VERBS = (
    "get fetch show look_up find cancel close open update delete archive check track approve "
    "reject export lock restart verify confirm describe load resolve start stop assign release "
    "review renew suspend share print inspect validate register remove activate sync"
).split()
# The noun, its functions, its arguments.
SPECIALS = (
    ("key", "call_api unlock decrypt sign", "key"),
    ("api key", "call_api connect authenticate set_key", "api_key key"),
    ("access key", "connect mount_bucket rotate_key", "access_key key"),
    ("token", "authenticate verify_token refresh call_service", "token"),
    ("access token", "login get_profile call_api", "access_token token"),
    ("path", "read_file open_file delete_file run_script", "path file"),
    ("file path", "read_file load upload", "path file_path"),
    ("url", "fetch open_page download get_url crawl", "url"),
    ("link", "open_link fetch preview", "url link"),
    ("password", "login unlock_vault connect", "password"),
    ("user name", "find_user login invite", "username user"),
    ("hash", "checkout verify_hash compare", "hash"),
    ("commit", "git_show revert_commit deploy", "commit sha"),
    ("host", "ping connect_host ssh", "host"),
    ("code", "redeem apply_code confirm open_door", "code"),
    ("promo code", "apply_promo check_promo", "promo_code code"),
    ("trace id", "get_trace search_logs", "trace_id"),
    ("request id", "search_logs retry_request", "request_id"),
    ("email address", "send_email invite_user subscribe", "email to address"),
    ("serial number", "check_warranty find_device", "serial_number serial"),
    ("tracking number", "track_parcel where_is", "tracking_number number"),
    ("reference", "find_payment get_status", "reference ref"),
    ("passphrase", "unlock open_wallet", "passphrase"),
    ("secret", "store_secret sign_request", "secret value"),
    ("identifier", "lookup resolve get_item", "identifier id"),
    ("query token", "run_query next_page", "token query_token"),
    ("cursor", "next_page list_items", "cursor after"),
    ("address", "send_funds geocode", "address to"),
)
PAIRS = (
    "old new|first second|source target|primary backup|sender receiver|current previous|"
    "staging production|parent child|internal external|left right|billing shipping"
).split("|")
EXTRAS = (
    ("priority", "high"),
    ("priority", "low"),
    ("format", "json"),
    ("language", "en"),
    ("mode", "fast"),
    ("notify", "true"),
    ("unit", "celsius"),
    ("status", "open"),
    ("color", "blue"),
    ("limit", "10"),
    ("dry_run", "false"),
)
OTHERS = (
    ("get_weather", "city", "get the weather"),
    ("search_web", "query", "search the web"),
    ("get_time", "timezone", "get the time"),
    ("send_message", "text", "send a message"),
    ("convert", "amount", "convert money"),
    ("translate", "text", "translate a text"),
    ("calculate", "expression", "do the sum"),
    ("set_timer", "minutes", "set a timer"),
)


FORMS, JSON_FORMS = range(8), (2, 3)


@dataclass(frozen=True, slots=True)
class Tool:
    """A function, its argument, what a person calls the argument's value and the task."""

    function: str
    argument: str
    noun: str
    task: str

    @property
    def label(self) -> str:
        """The noun in the spelling of the argument: it is not another tool's."""
        words = self.function.replace(".", "_")
        return spelled(self.noun, "snake" if words == words.lower() else "camel")


def tool_value(rng: random.Random) -> str:
    """A fresh value of an argument: mostly letters and digits, 6 to 40 of them."""
    kind = rng.random()
    if kind < 0.55:
        alphabet = rng.choice((ALNUM, ALNUM, LOWER_ALNUM, LOWER_ALNUM, UPPER_ALNUM, HEX))
        lengths = (6, 7, 8, 9, 10, 12, 12, 12, 14, 16, 20, 22, 24, 26, 28, 32, 32, 32, 36, 40)
        return characters(rng, alphabet, rng.choice(lengths))
    if kind < 0.62:
        return "-".join(characters(rng, HEX, length) for length in (8, 4, 4, 4, 12))
    if kind < 0.7:
        prefix = rng.choice(("ord", "cus", "tkt", "usr", "ch", "pi", "sk", "ev", "job", "INV", "T"))
        return prefix + rng.choice("_-") + characters(rng, ALNUM, rng.randint(4, 24))
    if kind < 0.75:
        names = "/".join(rng.choice(WORDS) for _ in range(rng.randint(1, 3)))
        return f"/{names}/{characters(rng, LOWER_ALNUM, rng.randint(4, 8))}.{rng.choice(WORDS)[:3]}"
    return code8(rng) if kind < 0.82 else unspaced_value(rng)


def _invented(rng: random.Random, words: Sequence[str]) -> Tool:
    kind = rng.random()
    style = rng.choice(("snake", "snake", "snake", "camel"))
    if kind < 0.3:
        noun, functions, arguments = rng.choice(SPECIALS)
        function, argument = rng.choice(functions.split()), rng.choice(arguments.split())
        task = function.replace("_", " ")
        name, named = function.replace("_", " "), argument.replace("_", " ")
        return Tool(spelled(name, style), spelled(named, style), noun, task)
    entity = rng.choice(ENTITIES) if kind < 0.8 else rng.choice(words)
    if rng.random() < 0.2:
        entity = f"{rng.choice(words)} {entity}"
    verb, suffix = rng.choice(VERBS).replace("_", " "), rng.choice(SUFFIXES)
    noun = f"{entity} {suffix}"
    argument = noun if rng.random() < 0.8 else suffix
    if rng.random() < 0.1:
        function = f"{entity}.{verb}".replace(" ", "_")
    else:
        function = spelled(f"{verb} {entity}", style)
    return Tool(function, spelled(argument, style), noun, f"{verb} the {entity}")


def draw_tools(rng: random.Random, count: int, words: Sequence[str]) -> list[Tool]:
    """`count` tools with different nouns; at times two nouns differ in one word alone."""
    tools: list[Tool] = []
    while len(tools) < count:
        tool = _invented(rng, words)
        both = [tool]
        if count - len(tools) > 1 and rng.random() < 0.15:
            both = [
                Tool(tool.function, tool.argument, f"{owner} {tool.noun}", "")
                for owner in rng.choice(PAIRS).split()
            ]
        taken = [other.noun for other in tools]
        functions = [other.function for other in tools]
        if any(clashes(one.noun, taken) or is_held_out(one.noun) for one in both):
            continue
        if clashes(both[0].noun, [one.noun for one in both[1:]]):
            continue
        if tool.function not in functions:
            tools += both
    rng.shuffle(tools)
    return tools


def _schema(tool: Tool, nested: bool) -> dict[str, object]:
    kind = {tool.argument: {"type": "string"}}
    parameters: object = kind
    if nested:
        parameters = {"type": "object", "properties": kind, "required": [tool.argument]}
    description = (tool.task or f"uses the {tool.noun}").capitalize() + "."
    return {"name": tool.function, "description": description, "parameters": parameters}


def _entry(tool: Tool, form: int) -> str:
    """One tool in the form of a system message."""
    name, argument, task = tool.function, tool.argument, tool.task or "run it"
    if form == 0:
        return f'def {name}({argument}: str) -> dict:\n    """{task.capitalize()}."""'
    if form == 1:
        return f"- {name}({argument}): {task}"
    if form == 2:
        return json.dumps(_schema(tool, nested=False))
    if form == 3:
        return json.dumps({"type": "function", "function": _schema(tool, nested=True)})
    if form == 4:
        return f"{name}({argument}: string): Promise<any>; // {task}"
    if form == 5:
        return f'<tool name="{name}"><parameter name="{argument}"/></tool>'
    if form == 6:
        return f"- name: {name}\n  arguments: [{argument}]\n  description: {task}"
    return f"{name}({argument})"


def tool_list(rng: random.Random, tools: Sequence[Tool], form: int) -> str:
    """A system message's list of the tools and of others that nobody calls."""
    extra = rng.sample(OTHERS, rng.randint(0, 2))
    tools = [*tools, *(Tool(name, argument, "", task) for name, argument, task in extra)]
    entries = list(dict.fromkeys(_entry(tool, form) for tool in tools))
    rng.shuffle(entries)
    joint = ", " if form == 7 else "\n"
    text = joint.join(entries)
    return f"[{', '.join(entries)}]" if form in JSON_FORMS and rng.random() < 0.5 else text
