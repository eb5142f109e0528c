"use strict";
// The server, as the page asks it.

const about = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);

function made(tag, className, text = "") {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  return node;
}

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

const asked = async (path) => (await ask(path)).json();

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
