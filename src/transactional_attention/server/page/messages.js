"use strict";
// Messages of a chat: what the user says as it is, answers as Markdown, the rest folded.

const markdown = markdownit({ html: false, linkify: false, breaks: true }).disable("image");
const NAMES = { system: "System prompt", tool: "What a tool answered" };

function rendered(node, text) {
  node.innerHTML = markdown.render(text);
  for (const link of node.querySelectorAll("a")) [link.target, link.rel] = ["_blank", "noopener noreferrer"];
}

function folded(summary, text) {
  const node = document.createElement("details");
  node.append(made("summary", "", summary), made("div", "", text));
  return node;
}

function put(node) {
  $("welcome").hidden = true;
  $("messages").append(node);
  node.scrollIntoView({ block: "end" });
  return node;
}

const note = (text) => put(made("article", "note", text));

function show({ role, content, reasoning_content: thought, tool_calls: calls = [] }) {
  if (role === "user") return put(made("article", "user", content));
  const node = made("article", role);
  if (NAMES[role]) node.append(folded(NAMES[role], content));
  if (thought) node.append(folded("Thought", thought));
  if (!NAMES[role] && content) {
    node.append(made("div", "said"));
    rendered(node.lastChild, content);
  }
  for (const { name, arguments: given } of calls) node.append(folded(`Called ${name}`, given));
  return put(node);
}

// An answer that comes in pieces; it stays in sight unless somebody has scrolled up.
function growing() {
  const node = put(made("article", "assistant")), box = $("messages");
  let thought = "", text = "", waits = false;
  const draw = () => {
    waits = false;
    const follows = box.scrollHeight - box.scrollTop - box.clientHeight < 60;
    if (thought && !node.querySelector("details")) node.prepend(folded("Thought", ""));
    if (thought) node.querySelector("details > div").textContent = thought;
    if (text && !node.querySelector(".said")) node.append(made("div", "said"));
    if (text) rendered(node.querySelector(".said"), text);
    if (follows) box.scrollTop = box.scrollHeight;
  };
  const add = ({ reasoning_content: more = "", content = "" }) => {
    [thought, text] = [thought + more, text + (content ?? "")];
    if (!waits) requestAnimationFrame(draw);
    waits = true;
  };
  return { node, add, draw, empty: () => !thought && !text };
}

function clear() {
  $("messages").replaceChildren($("welcome"));
  $("welcome").hidden = false;
}
