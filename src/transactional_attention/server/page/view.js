"use strict";
// A chat with one session of the server, and what its cache holds after every turn.

let session = location.hash.slice(1) || null, revealed = false, running = null, titles = new Map();

function say(text, failed = false) {
  $("status").textContent = text;
  $("status").classList.toggle("error", failed);
}

async function send(event) {
  event.preventDefault();
  const text = $("input").value.trim();
  if (!text || running) return;
  const id = session ?? newId(), append = session !== null, begun = performance.now();
  const system = append ? "" : $("system").value.trim(), user = { role: "user", content: text };
  const messages = [...(system ? [{ role: "system", content: system }] : []), user];
  const body = { model: about.model, messages, stream: true, session: id, append,
    temperature: Number($("temperature").value) || 0 };
  const [budget, limit] = [Number($("budget").value), Number($("limit").value)];
  if (!append && budget && budget !== about.budget) body.retention = { budget };
  if (limit) body.max_tokens = limit;
  $("input").value = "";
  const mine = messages.map(show), answer = growing();
  work(new AbortController());
  say("reading");
  try {
    const stream = await ask("/v1/chat/completions",
      { method: "POST", body: JSON.stringify(body), signal: running.signal });
    for await (const chunk of events(stream)) {
      if (chunk.error) throw new Error(chunk.error.message);
      if (answer.empty()) say(`first text after ${((performance.now() - begun) / 1e3).toFixed(1)} s`);
      answer.add(chunk.choices[0]?.delta ?? {});
      become(id);
      if (chunk.session) {
        const { kept } = chunk.session;
        say(kept ? `continued after ${kept} tokens that were kept` : "began a new session");
      }
      if (chunk.choices[0]?.finish_reason === "length") {
        note("Cut off at the limit. Ask it to go on, or raise the limit in Settings.");
      }
    }
  } catch (error) {
    const stopped = error.name === "AbortError";
    if (answer.empty()) {
      answer.node.remove();
      if (stopped && append) note("Stopped: the session may have read this message.");
      else {
        for (const node of mine) node.remove();
        if (!$("messages").querySelector("article")) clear();
        $("input").value = text;
      }
    }
    if (!stopped) say(error.message, true);
    else say(session ? "stopped" : "stopped: no session was begun");
  }
  answer.draw();
  work(null);
  await refresh();
}

// While a turn runs no other session is picked, and none is forgotten.
function work(controller) {
  running = controller;
  for (const id of ["send", "session", "new", "reveal"]) $(id).disabled = Boolean(running);
  $("stop").hidden = !running;
  $("forget").disabled = Boolean(running) || !session;
}

// The session of this page, whose address brings it back.
function become(id) {
  session = id;
  history.replaceState(null, "", session ? `#${session}` : location.pathname);
  for (const name of ["budget", "system"]) $(name).disabled = Boolean(session); // fixed when it begins
  $("forget").disabled = Boolean(running) || !session;
}

function newId() {
  const random = crypto.getRandomValues(new Uint8Array(8));
  return "page-" + Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What the list calls a session: what was said first, and when it was last used.
function called({ id, title, used }) {
  const day = new Date(used * 1e3), today = day.toDateString() === new Date().toDateString();
  const when = day.toLocaleString([], { ...(!today && { dateStyle: "medium" }), timeStyle: "short" });
  return `${when} · ${title || id}`;
}

async function refresh() {
  if (about.key && !$("key").value) return;
  try {
    const known = (await asked("/v1/sessions")).data;
    titles = new Map(known.map((one) => [one.id, one.title || one.id]));
    const options = known.map((one) => new Option(called(one), one.id, false, one.id === session));
    if (session && !titles.has(session)) options.unshift(new Option("this session", session, false, true));
    $("session").replaceChildren(new Option("New session", "", false, !session), ...options);
    if (session) await look();
    else draw({ history: [] });
  } catch (error) {
    say(error.message, true);
  }
}

async function look() {
  const held = await asked(`/v1/sessions/${session}?reveal=${revealed}`);
  $("budget").value = held.budget ?? "";
  draw(held);
}

// What was said before this page was opened, as the server has it.
async function read() {
  const { messages } = await asked(`/v1/sessions/${session}/messages?reveal=${revealed}`);
  clear();
  messages.forEach(show);
  if (!messages.length) {
    note("The server has no text of the earlier turns of this session. What you send continues it, and the "
      + "model answers from what the cache still holds.");
  } else if (!revealed && messages.some(({ content }) => content.includes("•"))) {
    note("Values are masked (•). “Reveal values” shows them.");
  }
}

async function begin(id) {
  become(id || null);
  $("budget").value = about.budget ?? "";
  clear();
  say("");
  draw({ history: [] });
  await refresh();
  if (session && !(about.key && !$("key").value)) await read().catch((error) => say(error.message, true));
}

function introduce() {
  const beside = about.pinned ? " beside the system prompt" : "";
  const k = about.budget === null ? "all tokens" : `K = ${number(about.budget)} tokens`;
  $("title").textContent = `${about.model}, ${about.method}, ${about.budget === null ? "no limit" : k}`;
  $("hello").textContent = `Talk to ${about.model}`;
  $("holds").textContent = about.budget === null ? "The cache holds all of a conversation."
    : `However long a conversation gets, its cache holds ${k}${beside}. Values that are stated (ids, `
      + "paths, settings) are found and kept whole"
      + (about.memory ? "; other lines come back when you ask about them." : ".");
  $("about-system").textContent = (about.pinned ? "Held whole, beside K. " : "") + "Fixed when the session begins.";
  $("about-budget").textContent = `Tokens that the cache of a session holds${beside}. More keeps more of what `
    + "was said, and takes more memory and time. Fixed when the session begins.";
  $("limit").placeholder = number(about.limit);
}

$("form").addEventListener("submit", send);
$("input").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
});
for (const button of $("examples").children) {
  button.addEventListener("click", () => {
    $("input").value = button.textContent;
    $("input").focus();
  });
}
$("stop").addEventListener("click", () => running?.abort());
$("new").addEventListener("click", () => begin(null).then(() => $("input").focus()));
$("session").addEventListener("change", (event) => begin(event.target.value));
$("key").addEventListener("change", () => begin(session));
$("kept").addEventListener("click", () => {
  const open = document.body.classList.toggle("cache");
  $("kept").setAttribute("aria-expanded", open);
  $("kept").textContent = open ? "Chat" : "What is kept";
});
$("forget").addEventListener("click", async () => {
  if (!confirm(`Forget “${titles.get(session) ?? session}”? Its cache, its text and its files are deleted for good.`)) return;
  try {
    await ask(`/v1/sessions/${session}`, { method: "DELETE" });
    begin(null);
  } catch (error) { say(error.message, true); }
});
$("reveal").addEventListener("click", () => {
  revealed = !revealed;
  $("reveal").setAttribute("aria-pressed", revealed);
  $("reveal").textContent = revealed ? "Mask values" : "Reveal values";
  if (session) Promise.all([look(), read()]).catch((error) => say(error.message, true));
});
introduce();
begin(session);
