"""What a response is made of: a thought, a message and calls, whole and as events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .answering import AnswerPart
from .completions import Form
from .tool_calls import Call


class Items:
    """Collects what one response says and makes of it the items of OpenAI's Responses: a thought
    and a message, in the order in which they begin, then calls. ``id_``: of the response."""

    def __init__(self, id_: str) -> None:
        self._ids = {"reasoning": f"rs_{id_[5:]}", "message": f"msg_{id_[5:]}"}
        self._texts: dict[str, str] = {}

    @property
    def text(self) -> str:
        """What is said."""
        return self._texts.get("message", "")

    @property
    def thought(self) -> str:
        """What was thought."""
        return self._texts.get("reasoning", "")

    def add(self, part: AnswerPart) -> Iterator[Form]:
        """The events of what came."""
        for kind, text in (("reasoning", part.thought), ("message", part.text)):
            if not text:
                continue
            if kind not in self._texts:
                self._texts[kind] = ""
                index = {"output_index": len(self._texts) - 1}
                item = self._item(kind, None, "in_progress")
                yield {"type": "response.output_item.added", **index, "item": item}
                shown = {**self._place(kind), "part": _part(kind, "")}
                yield {"type": "response.content_part.added", **shown}
            self._texts[kind] += text
            logprobs: Form = {} if kind == "reasoning" else {"logprobs": []}
            yield {
                "type": f"response.{_named(kind)}.delta",
                **self._place(kind),
                "delta": text,
            } | logprobs

    def whole(self, status: str, calls: Sequence[Call]) -> list[Form]:
        """All items; an answer of nothing is an empty message."""
        kinds = [*self._texts] if self.text or calls else [*self._texts, "message"]
        items = [self._item(kind, self._texts.get(kind, ""), status) for kind in kinds]
        return [*items, *map(_call_item, calls)]

    def ended(self, items: Sequence[Form]) -> Iterator[Form]:
        """The events that end ``items``, all of them."""
        for index, item in enumerate(items):
            kind, shown = item["type"], {"output_index": index, "item": item}
            if kind == "function_call":
                yield {"type": "response.output_item.added", **shown}
                given = {"name": item["name"], "arguments": item["arguments"]}
                about: Form = {"output_index": index, **given, "item_id": item["id"]}
                yield {"type": "response.function_call_arguments.done", **about}
            elif kind in self._texts:
                place, text = self._place(kind), self._texts[kind]
                logprobs: Form = {} if kind == "reasoning" else {"logprobs": []}
                yield {"type": f"response.{_named(kind)}.done", **place, "text": text} | logprobs
                yield {"type": "response.content_part.done", **place, "part": _part(kind, text)}
            else:
                continue  # nothing was said
            yield {"type": "response.output_item.done", **shown}

    def _place(self, kind: str) -> Form:
        index = list(self._texts).index(kind)
        return {"item_id": self._ids[kind], "output_index": index, "content_index": 0}

    def _item(self, kind: str, text: str | None, status: str) -> Form:
        content = [] if text is None else [_part(kind, text)]
        about: Form = {"summary": []} if kind == "reasoning" else {"role": "assistant"}
        return {"id": self._ids[kind], "type": kind, **about, "status": status, "content": content}


def _named(kind: str) -> str:
    return "reasoning_text" if kind == "reasoning" else "output_text"


def _part(kind: str, text: str) -> Form:
    known: Form = {} if kind == "reasoning" else {"annotations": [], "logprobs": []}
    return {"type": _named(kind), "text": text, **known}


def _call_item(call: Call) -> Form:
    about = {"id": f"fc_{call.id.removeprefix('call_')}", "type": "function_call"}
    return {
        **about,
        "status": "completed",
        "call_id": call.id,
        "name": call.name,
        "arguments": call.arguments,
    }
