"use strict";
// A chat with one session of the server, and what its cache holds after every turn.

const about = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
let session = location.hash.slice(1) || null, revealed = false, running = null;

function headers() {
  const key = $("key").value;
  return { "Content-Type": "application/json", ...(key && { Authorization: "Bearer " + key }) };
}

async function ask(path, options = {}) {
  const answer = await fetch(path, { headers: headers(), ...options });
  if (!answer.ok) {
    const body = await answer.json().catch(() => null);
    throw new Error(body?.error?.message ?? `status ${answer.status}`);
  }
  return answer;
}

function say(text, failed = false) {
  $("status").textContent = text;
  $("status").classList.toggle("error", failed);
}

function show(role, text = "") {
  const node = document.createElement("p");
  node.className = role;
  node.textContent = text;
  $("messages").append(node);
  node.scrollIntoView({ block: "end" });
  return node;
}

// A message gets longer, and stays in sight unless somebody has scrolled up.
function grow(node, text) {
  const box = $("messages"), follow = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  node.textContent += text;
  if (follow) box.scrollTop = box.scrollHeight;
}

// The data of server-sent events, as they come.
async function* events(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (pending + value).split("\n\n");
    pending = parts.pop();
    for (const part of parts) {
      const data = part.replace(/^data: /, "");
      const told = data !== part && data !== "[DONE]"; // what has no data is a sign of life
      if (told) yield JSON.parse(data);
    }
  }
}

async function send(event) {
  event.preventDefault();
  const text = $("input").value.trim();
  if (!text || running) return;
  $("input").value = "";
  const mine = show("user", text), node = show("assistant"), begun = performance.now();
  const id = session ?? newId(), append = session !== null;
  const body = { model: about.model, messages: [{ role: "user", content: text }], stream: true,
    session: id, append, temperature: Number($("temperature").value) || 0 };
  const budget = Number($("budget").value);
  if (!append && budget && budget !== about.budget) body.retention = { budget };
  work(new AbortController());
  say("reading");
  try {
    const answer = await ask("/v1/chat/completions",
      { method: "POST", body: JSON.stringify(body), signal: running.signal });
    for await (const chunk of events(answer)) {
      if (chunk.error) throw new Error(chunk.error.message);
      if (node.textContent === "") say(`first text after ${Math.round(performance.now() - begun)} ms`);
      const delta = chunk.choices[0]?.delta ?? {};
      grow(node, (delta.reasoning_content ?? "") + (delta.content ?? ""));
      become(id);
      if (chunk.session) {
        const { kept } = chunk.session;
        say(kept ? `continued after ${kept} tokens that were kept` : "began a new session");
      }
    }
  } catch (error) {
    const stopped = error.name === "AbortError";
    if (!node.textContent) {
      node.remove();
      if (stopped && append) show("note", "Stopped: the session may have read this message.");
      else { mine.remove(); $("input").value = text; }
    }
    if (!stopped) say(error.message, true);
    else say(session ? "stopped" : "stopped: no session was begun");
  }
  work(null);
  await refresh();
}

// While a turn runs no other session is picked, and none is forgotten.
function work(controller) {
  running = controller;
  for (const id of ["send", "session", "new"]) $(id).disabled = Boolean(running);
  $("stop").disabled = !running;
  $("forget").disabled = Boolean(running) || !session;
}

// The session of this page, whose address brings it back.
function become(id) {
  session = id;
  history.replaceState(null, "", session ? `#${session}` : location.pathname);
  $("budget").disabled = Boolean(session);  // fixed when it begins
  $("forget").disabled = Boolean(running) || !session;
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return "page-" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function refresh() {
  if (about.key && !$("key").value) return;
  try {
    const ids = (await (await ask("/v1/sessions")).json()).data.map(({ id }) => id);
    const known = new Set(session ? [session, ...ids] : ids);
    const options = [...known].map((id) => new Option(id, id, false, id === session));
    $("session").replaceChildren(new Option("new session", "", false, !session), ...options);
    if (session) await look();
    else draw({ history: [], budget: about.budget });
  } catch (error) {
    say(error.message, true);
  }
}

async function look() {
  draw(await (await ask(`/v1/sessions/${session}?reveal=${revealed}`)).json());
}

const reasons = { segment: "its line", recalled: "came back" };

function draw({ history, runs = [], values = [], tokens, live, budget, pinned = 0, waiting = 0 }) {
  if (session || !$("budget").value) $("budget").value = budget ?? "";
  $("text").replaceChildren(...runs.map(([text, reason, count]) => {
    const node = document.createElement("i");
    node.textContent = text;
    node.dataset.r = reason;
    node.title = `${reasons[reason] ?? reason}, ${count} ${count === 1 ? "token" : "tokens"}`;
    return node;
  }));
  $("values").replaceChildren(...values.map((value) => {
    const node = document.createElement("li"), why = document.createElement("small");
    node.className = value.held ? "held" : "";
    node.textContent = (value.label || (value.rule === "caller" ? "protected range" : "value")) + (value.text === null ? "" : ` = ${value.text}`);
    why.textContent = `${value.rule}, ${value.source}, confidence ${value.confidence}, `
      + `tokens ${value.start} to ${value.end}${value.held ? "" : " · not held"}`;
    node.append(why);
    return node;
  }));
  lines(history);
  const last = history[history.length - 1];
  $("numbers").textContent = !last ? "no turn yet"
    : `${live} of ${tokens} tokens live (K = ${budget ?? "no limit"}`
      + `${pinned ? `, ${pinned} pinned beside it` : ""})`
      + `${waiting ? `, ${waiting} segments wait and come back when they are asked for` : ""}, ${bytes(last[2])} (line); `
      + `a full cache: ${bytes(last[3])} (dashes)`;
}

const bytes = (n) => n < 1e6 ? `${(n / 1e3).toFixed(0)} kB` : `${(n / 1e6).toFixed(1)} MB`;

// Bytes that are held by turn, and beside them those of a full cache.
function lines(history) {
  const most = Math.max(1, ...history.map((point) => Math.max(point[2], point[3])));
  const across = (i) => history.length < 2 ? 300 : (300 * i) / (history.length - 1);
  $("line").replaceChildren(...[["full", 3], ["held", 2]].map(([name, column]) => {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const places = history.map((p, i) => `${across(i)} ${88 - (84 * p[column]) / most}`);
    if (places.length === 1) places.unshift(`0 ${places[0].split(" ")[1]}`);
    path.setAttribute("class", name);
    path.setAttribute("d", places.length ? "M" + places.join("L") : "");
    return path;
  }));
}

function begin(id) {
  become(id || null);
  $("budget").value = about.budget ?? "";
  $("messages").replaceChildren();
  if (session) show("note", "This page does not have the text of the earlier turns of this session. "
    + "What you send continues it, and the model answers from what the cache still holds.");
  say("");
  draw({ history: [] });
  refresh();
}

$("title").textContent = `${about.model}, ${about.method}, K = ${about.budget ?? "no limit"}`;
$("key-label").hidden = !about.key;
$("form").addEventListener("submit", send);
$("input").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
});
$("stop").addEventListener("click", () => running?.abort());
$("new").addEventListener("click", () => begin(null));
$("session").addEventListener("change", (event) => begin(event.target.value));
$("key").addEventListener("change", refresh);
$("forget").addEventListener("click", async () => {
  if (!confirm(`Forget ${session}? Its cache and its files are deleted for good.`)) return;
  try {
    await ask(`/v1/sessions/${session}`, { method: "DELETE" });
    begin(null);
  } catch (error) { say(error.message, true); }
});
$("reveal").addEventListener("click", () => {
  revealed = !revealed;
  $("reveal").setAttribute("aria-pressed", revealed);
  $("reveal").textContent = revealed ? "Mask values" : "Reveal values";
  if (session) look().catch((error) => say(error.message, true));
});
begin(session);
