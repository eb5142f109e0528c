"""The HTTP interface: routes, who may ask, and how large a body may be."""

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, StreamingResponse
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Sent

from ..config import Retention
from ..engines.session import Engine, Session
from ..inspection.held import held_tokens
from . import LOOPBACK, responses
from .admission import RequestAdmission, Reservation
from .answering import Answer, conversation
from .bodies import Access, parsed, read, while_there
from .causes import fault_of
from .completions import ChatCompletion, Form, TextCompletion
from .connections import HEAD, Troubles
from .events import HEADERS as EVENT_HEADERS
from .events import events
from .faults import Fault, error_answer
from .index import SessionRecord
from .message_requests import CountRequest, MessageRequest
from .messages import MessageReply
from .page import page, policy
from .read_messages import messages_of
from .request_log import log_request, route_of
from .requests import ChatRequest, CompletionRequest, ResponseRequest
from .sessions import Sessions
from .tenants import ALONE, Tenant, name_of
from .turns import turns_of
from .worker import Line, Worker

OPEN_PATHS = ("/", "/health")
TURN_PATHS = (
    "/v1/chat/completions",
    "/v1/completions",
    "/v1/responses",
    "/v1/messages",
    "/v1/messages/count_tokens",
)
WARNING = "X-Left-Out"  # a header: what was asked and is answered without
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": policy(),
}
PATIENCE = 0.5  # seconds in which what fails is an error's answer; then a stream's head is sent
log = logging.getLogger(__name__)


class Service:
    """The routes over one engine, its sessions and its worker."""

    def __init__(
        self,
        engine: Engine,
        sessions: Sessions,
        default: Retention,
        line: Line,
        access: Access,
        session_length: int | None = None,
    ) -> None:
        self.engine, self.sessions, self.access = engine, sessions, access
        self.default, self.made = default, int(time.time())
        self.session_length = session_length  # what clients are told where there is no end
        self.worker = Worker(sessions, default, line)
        self.admission = RequestAdmission(line, access.max_body)
        gauge, count = self.worker.metrics.gauge, self.worker.counts
        gauge("ta_waiting", "Requests in line.", lambda: count()[0])
        gauge("ta_running", "Requests that take steps.", lambda: count()[1])
        gauge("ta_sessions_live", "Sessions in memory.", lambda: len(sessions.live))
        gauge("ta_sessions", "Sessions in memory or saved.", lambda: len(sessions.index.sessions))
        gauge("ta_layers", "Layers of the model.", lambda: self.engine.layers.total)
        gauge("ta_managed_layers", "Layers that hold K tokens.", lambda: self.engine.layers.managed)
        shared = sessions.beginnings
        gauge("ta_beginnings", "Beginnings that sessions share.", lambda: len(shared.known))
        gauge("ta_beginnings_bytes", "Bytes of those.", lambda: shared.num_bytes)
        gauge("ta_stored_bytes", "Keys and values of sessions in memory.", self._bytes)
        words = "Tokens of system messages and tools that sessions in memory hold beside K."
        gauge("ta_pinned_tokens", words, self._num_pinned)

    def _bytes(self) -> int:
        live = [r for r in self.sessions.records() if r.id in self.sessions.live and r.history]
        return sum(record.history[-1][2] for record in live)

    def _num_pinned(self) -> int:
        flows = [session.flow for session in list(self.sessions.live.values())]
        return sum(flow.num_pinned for flow in flows if flow is not None)

    def answering(self, body: Any, kind: Any) -> Callable[[Request], Awaitable[Response]]:
        """``POST`` of a body that is answered in a form of one kind."""

        async def answer(request: Request) -> Response:
            return await self._answered(request, body, kind)

        return answer

    async def count_tokens(self, request: Request) -> Response:
        """``POST /v1/messages/count_tokens``."""
        form, size = await self._formed(request, CountRequest, MessageReply)
        turn, *_ = await while_there(request, self.admission.prepared(size, form.asking))
        return JSONResponse({"input_tokens": len(turn.prompt.ids)})

    async def _formed(self, request: Request, body: Any, kind: Any) -> tuple[Any, int]:
        """What a body of one kind asks for, in the form that its answer has, and the characters of
        it."""
        place: Reservation = request.scope["place"]
        given = await read(request, self.access, place)

        def formed() -> Any:
            return kind(self.worker, _tenant(request), parsed(given, body))

        form = await while_there(request, self.admission.prepared(len(given), formed))
        size = form.size()
        place.hold(max(0, size - len(given)))  # what the server remembers of it
        return form, size

    async def _answered(self, request: Request, body: Any, kind: Any) -> Response:
        """A body answered, whole or as events; what fails soon is an error's answer, and later an
        event."""
        form, size = await self._formed(request, body, kind)
        asked, prepared = form.asked, self.admission.prepared
        if asked.append:
            session_id = _tenant(request).id(asked.session)
            look = conversation(self.worker, session_id, asked.retention)
            form.before = await while_there(request, look)
        form.answer = Answer(self.worker, *await while_there(request, prepared(size, form.asking)))
        request.scope["answer"] = form.answer
        headers = {}
        if warning := ", ".join(asked.warnings()):  # numbers and names of fields, no text
            log.warning("left out of a request: %s", warning)
            headers[WARNING] = warning
        if not asked.stream:
            whole = await while_there(request, form.whole(), form.answer)
            return JSONResponse(whole, headers=headers)
        await while_there(request, form.answer.begun(PATIENCE), form.answer)
        told_as = {"headers": {**headers, **EVENT_HEADERS}, "media_type": "text/event-stream"}
        return StreamingResponse(events(form.chunks(), form), **told_as)

    async def forget_response(self, request: Request, id_: str) -> Response:
        """``DELETE /v1/responses/ID``."""
        response_id = _tenant(request).id(id_)
        if not await asyncio.to_thread(self.sessions.index.drop_response, response_id):
            raise Fault(404, "there is no such response")
        return JSONResponse({"id": id_, "object": "response", "deleted": True})

    async def models(self) -> Response:
        """``GET /v1/models``."""
        ends = dict.fromkeys(("first_id", "last_id"), self.engine.name)
        return JSONResponse({"object": "list", "data": [self._model()], "has_more": False, **ends})

    def _model(self) -> Form:
        """As OpenAI's clients read it, then as Anthropic's do; its length is the tokens that a
        conversation may have; for any number what the operator says, or None."""
        length = self.engine.limit(self.default) or self.session_length
        name, made = self.engine.name, datetime.fromtimestamp(self.made, UTC)
        budget, method = self.default.budget, self.default.method
        return {
            "id": name,
            "object": "model",
            "created": self.made,
            "owned_by": "transactional-attention",
            "retention": {"budget": budget, "method": method},
            "max_model_len": length,
            "context_length": length,
            "type": "model",
            "display_name": name,
            "created_at": made.isoformat(),
            "lifecycle": "active",
            "max_input_tokens": length,
            "max_tokens": length,
        }

    async def model(self, name: str) -> Response:
        """``GET /v1/models/NAME``."""
        if name != self.engine.name:
            raise Fault(
                404, f"the only model here is {self.engine.name!r}", "model_not_found", "model"
            )
        return JSONResponse(self._model())

    async def list_sessions(self, request: Request) -> Response:
        """``GET /v1/sessions``: ids, titles, numbers of a tenant's sessions, the latest first."""
        tenant_records = [r for r in self.sessions.records() if _tenant(request).owns(r.id)]
        records = sorted(tenant_records, key=lambda record: -record.used)
        data = [
            {
                "id": name_of(record.id),
                "title": record.title,
                "used": record.used,
                "live": record.id in self.sessions.live,
                "saved": bool(record.files),
                "history": record.history,
            }
            for record in records
        ]
        return JSONResponse({"object": "list", "data": data})

    async def session(self, request: Request, id_: str, reveal: bool = False) -> Response:
        """``GET /v1/sessions/ID``: what its cache holds; values masked but for ``reveal``."""

        def held(record: SessionRecord, session: Session) -> Form:
            flow = session.flow
            return {} if flow is None else held_tokens(flow, reveal=reveal)

        return await self._looked(request, id_, held)

    async def session_messages(self, request: Request, id_: str, reveal: bool = False) -> Response:
        """``GET /v1/sessions/ID/messages``: what was said in it, masked in the same way."""

        def messages(record: SessionRecord, session: Session) -> Form:
            turns = turns_of(session, record.unread, reveal=reveal)
            return {"messages": messages_of(self.engine, turns)}

        return await self._looked(request, id_, messages)

    async def _looked(
        self, request: Request, id_: str, look: Callable[[SessionRecord, Session], Form]
    ) -> Response:
        """What a look at a tenant's session finds, between two steps."""
        session_id = _tenant(request).id(id_)

        def found() -> Form | None:
            record = self.sessions.index.sessions.get(session_id)
            session = None if record is None else self.sessions.session_of(record)
            if record is None or session is None:
                return None
            return {"id": id_, "history": record.history, **look(record, session)}

        answer = await asyncio.wrap_future(self.worker.call(found))
        if answer is None:
            raise Fault(404, "there is no such session")
        return JSONResponse(answer)

    async def forget_session(self, request: Request, id_: str) -> Response:
        """``DELETE /v1/sessions/ID``."""
        session_id = _tenant(request).id(id_)

        def forget() -> bool | None:
            if session_id in self.sessions.busy:
                return None
            return self.sessions.drop(session_id, responses=True)

        dropped = await asyncio.wrap_future(self.worker.call(forget))
        if not dropped:
            why = "there is no such session" if dropped is False else "the session is at work"
            raise Fault(404 if dropped is False else 409, why)
        return JSONResponse({"id": id_, "object": "session", "deleted": True})


def create_app(service: Service) -> FastAPI:
    """The application: it puts the folder of sessions in order when it begins, and stops the worker
    when it ends."""

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(Troubles())
        await asyncio.to_thread(service.sessions.begin)
        yield
        service.admission.close()
        await asyncio.to_thread(service.worker.stop)

    app = FastAPI(title="ta serve", openapi_url=None, lifespan=life)
    app.add_middleware(Guard, service=service)
    response = partial(responses.Response, most=service.access.max_body)
    for path, method, function in (
        ("/v1/chat/completions", "POST", service.answering(ChatRequest, ChatCompletion)),
        ("/v1/completions", "POST", service.answering(CompletionRequest, TextCompletion)),
        ("/v1/responses", "POST", service.answering(ResponseRequest, response)),
        ("/v1/messages", "POST", service.answering(MessageRequest, MessageReply)),
        ("/v1/messages/count_tokens", "POST", service.count_tokens),
        ("/v1/responses/{id_}", "DELETE", service.forget_response),
        ("/v1/models", "GET", service.models),
        ("/v1/models/{name:path}", "GET", service.model),
        ("/v1/sessions", "GET", service.list_sessions),
        ("/v1/sessions/{id_}", "GET", service.session),
        ("/v1/sessions/{id_}/messages", "GET", service.session_messages),
        ("/v1/sessions/{id_}", "DELETE", service.forget_session),
    ):
        app.add_api_route(path, function, methods=[method], response_model=None)

    @app.get("/health")
    async def health() -> Response:
        moves = service.worker.moves()
        report = {"status": "ok" if moves else "stuck", **service.worker.doing()}
        return JSONResponse(report, 200 if moves else 503)

    @app.get("/metrics")
    async def metrics() -> Response:
        return Response(service.worker.metrics.text(), media_type="text/plain; version=0.0.4")

    @app.get("/")
    async def front() -> Response:
        html = page(service.engine.name, service.default, key=service.access.keys is not None)
        return HTMLResponse(html, headers={"Content-Security-Policy": policy(html)})

    async def refuse(request: Request, error: Exception) -> Response:
        request.scope["fault"] = fault_of(error)
        return error_answer(request.scope["fault"], request.scope["path"])

    for kind in (HTTPException, RequestValidationError):  # the rest is ``Guard``'s
        app.add_exception_handler(kind, refuse)
    return app


class Guard:
    """Around the application: lets in who has the key, or who is here, and turns while there are
    places; counts answers by route and status; tells browsers what they may do with an answer; and
    lets no error show its text, in an answer or a log."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app, self.service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        statuses: list[int] = []
        begun = time.monotonic()

        async def noting(message: Sent) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            scope["tenant"] = self._tenant(Request(scope))
            if scope["method"] == "POST" and scope["path"] in TURN_PATHS:
                with self.service.admission.reserve() as scope["place"]:
                    await self.app(scope, receive, noting)
            else:
                await self.app(scope, receive, noting)
        except asyncio.CancelledError:  # the server stops: what the turn said is saved
            log.info("a request was cut off by the server's end")
        except Exception as error:
            scope["fault"] = fault = fault_of(error)
            if not statuses:
                await error_answer(fault, scope["path"])(scope, receive, noting)
        status = statuses[0] if statuses else 0
        self.service.worker.metrics.requests.labels(route_of(scope), status).inc()
        log_request(scope, status, time.monotonic() - begun)

    def _tenant(self, request: Request) -> Tenant:
        """Who asks. Raises Fault for who may not."""
        keys, scope = self.service.access.keys, request.scope
        head = len(scope["raw_path"]) + len(scope["query_string"])
        if head + sum(len(name) + len(value) for name, value in scope["headers"]) > HEAD:
            raise Fault(431, f"the URL and the headers have more than {HEAD} bytes: send less")
        # the URL is put together from what the client says: it decides nothing here
        if keys is None:
            host = re.sub(r":\d+$", "", request.headers.get("host", "localhost").lower())
            if host not in LOOPBACK:  # a name that was bound anew
                raise Fault(403, "without an API key only local names are answered")
        elif scope["path"] not in OPEN_PATHS:
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            bearer = token.strip() if scheme.lower() == "bearer" else ""
            sent = (bearer, request.headers.get("x-api-key", ""))
            tenant = keys.tenant(*(given.encode("latin-1") for given in sent))  # as it was sent
            if tenant is None:
                why = "give an API key of the server: Authorization: Bearer KEY, or x-api-key: KEY"
                raise Fault(401, why)
            return tenant
        return ALONE


def _tenant(request: Request) -> Tenant:
    """Who asks, as ``Guard`` knows."""
    return request.scope["tenant"]  # type: ignore[no-any-return]
