"use strict";
// Draws the page and lets the slider, the search box and the pointer ask for more.

const page = JSON.parse(document.getElementById("data").textContent);
const NAMES = ["evicted", "sink", "recent", "sponsored", "label", "utility", "closing", "pinned"];
const SAID = { evicted: "not kept", sponsored: "value" };
const PINNED = 7;
const BLOCK = 300; // tokens after which a block ends at the next line break
const STEPS = 1000;
const $ = (id) => document.getElementById(id);
const order = ranking(page);
const shown = new Uint8Array(page.length);
const nodes = new Array(page.length);
const owners = spanOfToken();
const pinned = new Uint8Array(page.length);
const values = page.spans.filter((span) => !span.pinned);
let hits = [], hit = -1, marked = [], pieces = page.pieces;

// Index of the best span that covers a token, -1 for none.
function spanOfToken() {
  const owner = new Int32Array(page.length).fill(-1);
  for (const part of ["value", "extent", "label", "words"]) {
    page.spans.forEach((span, index) => {
      for (let i = span[part][0]; i < span[part][1]; i++) if (owner[i] < 0) owner[i] = index;
    });
  }
  return owner;
}

// Blocks that begin and end with lines, so that what is off screen costs no layout.
function draw() {
  let block = null, count = 0;
  for (let i = 0; i < page.length; i++) {
    if (!block) {
      block = document.createElement("div");
      count = 0;
    }
    const node = document.createElement("i");
    node.textContent = pieces[i];
    node.dataset.i = i;
    nodes[i] = node;
    block.append(node);
    if ((++count >= BLOCK && pieces[i].endsWith("\n")) || i === page.length - 1) {
      $("text").append(block);
      block = null;
    }
  }
}

// What is pinned is held beside K.
function update(budget) {
  const chosen = select(page, budget + page.pinned, order);
  const counts = new Array(NAMES.length).fill(0);
  for (let i = 0; i < page.length; i++) {
    const reason = pinned[i] ? PINNED : chosen.reason[i];
    counts[reason] += 1;
    if (reason === shown[i]) continue;
    shown[i] = reason;
    nodes[i].dataset.r = reason;
  }
  NAMES.forEach((name, r) => { $("count-" + name).textContent = counts[r].toLocaleString("en"); });
  const gave = page.sinks + page.recent - chosen.sinks - chosen.recent;
  const kept = new Set(chosen.admitted.map((index) => page.spans[index]));
  const lost = values.filter((span) => !kept.has(span)).length + page.over.length;
  $("status").textContent = `${values.length + page.over.length - lost} of ${values.length + page.over.length} values kept, K* = `
    + page.least + (gave ? `; ${gave} mandatory tokens gave way` : "");
  $("num-lost").textContent = `(${lost})`;
  for (const span of values) span.item.dataset.kept = kept.has(span) ? "yes" : "no";
}

function setBudget(value, from) {
  const high = Math.max(page.length - page.pinned, page.mandatory);
  const budget = Math.min(Math.max(Math.round(value) || page.mandatory, page.mandatory), high);
  if (from !== "number") $("budget").value = budget;
  const scale = Math.log(high / page.mandatory) || 1;
  if (from !== "slider") $("slider").value = STEPS * Math.log(budget / page.mandatory) / scale;
  update(budget);
  $("slider").setAttribute("aria-valuetext", `K = ${budget}`);
}

function budgetOfSlider() {
  const high = Math.max(page.length - page.pinned, page.mandatory);
  return page.mandatory * (high / page.mandatory) ** ($("slider").value / STEPS);
}

// values

function list() {
  const inText = [...values, ...page.over].sort((a, b) => a.value[0] - b.value[0]);
  for (const span of inText) {
    const item = document.createElement("button");
    const least = span.least ? `from K ${span.least}` : "longer than the cap";
    item.innerHTML = "<b></b><small></small>";
    item.children[0].textContent = span.name || span.rule;
    item.children[1].textContent = `${span.rule} · ${span.value[1] - span.value[0]} tokens · ${least}`;
    item.dataset.kept = "no";
    item.onclick = () => go(span.value[0], span.value[1]);
    span.item = item;
    $("values").append(item);
  }
  if (!inText.length) $("values").textContent = "No value was detected.";
}

function go(start, end) {
  for (const node of marked) node.classList.remove("here");
  marked = nodes.slice(start, end);
  for (const node of marked) node.classList.add("here");
  nodes[start].scrollIntoView({block: "center"});
  explain(start);
}

// why a token is kept or not

function explain(i) {
  const span = page.spans[owners[i]];
  const parts = [["token", `${i} of ${page.length}`], ["state", SAID[NAMES[shown[i]]] ?? NAMES[shown[i]]]];
  parts.push(["utility", page.utility[i].toFixed(4)]);
  if (page.counts) {
    const [r, f] = [i / page.length, page.counts[i] / page.most];
    parts.push(["terms", `${page.weights[0]} × R ${r.toFixed(4)} − ${page.weights[1]} × F `
      + f.toFixed(4)]);
  }
  if (span) {
    const inside = ([start, end]) => i >= start && i < end;
    const role = inside(span.value) ? "value" : inside(span.extent) ? "closing" : "label";
    parts.push([role, `[${span.value[0]}, ${span.value[1]}) ${span.name}`]);
    parts.push(["rule", `${span.rule} ${span.confidence.toFixed(2)}`], ["source", span.source]);
  }
  $("why").replaceChildren(...parts.flatMap(([name, value]) => {
    const [term, text] = [document.createElement("dt"), document.createElement("dd")];
    [term.textContent, text.textContent] = [name, value];
    return [term, text];
  }));
}

// search, in the text as it is shown

function search(words) {
  for (const [start, end] of hits) for (let i = start; i < end; i++) nodes[i].classList.remove("hit");
  [hits, hit] = [[], -1];
  const wanted = words.toLowerCase();
  if (wanted) hits = occurrences(wanted);
  for (const [start, end] of hits) for (let i = start; i < end; i++) nodes[i].classList.add("hit");
  next(1);
}

function occurrences(wanted) {
  const starts = new Uint32Array(page.length + 1);
  let text = "";
  pieces.forEach((piece, i) => {
    text += piece.toLowerCase();
    starts[i + 1] = text.length;
  });
  const found = [];
  let token = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    while (starts[token + 1] <= at) token += 1;
    let end = token + 1;
    while (starts[end] < at + wanted.length) end += 1;
    found.push([token, end]);
  }
  return found;
}

function next(step) {
  if (hits.length) {
    hit = (hit + step + hits.length) % hits.length;
    go(...hits[hit]);
  }
  $("found").textContent = $("search").value ? `${hit + 1} of ${hits.length}` : "";
}

// Only a page that was made with --reveal has what the button shows.
function reveal(open) {
  pieces = open ? page.revealed : page.pieces;
  nodes.forEach((node, i) => { node.textContent = pieces[i]; });
  $("reveal").setAttribute("aria-pressed", open);
  $("reveal").textContent = open ? "Mask values" : "Reveal values";
  search($("search").value);
}

function listen() {
  $("reveal").hidden = !page.revealed;
  $("reveal").onclick = () => reveal(pieces === page.pieces);
  $("lost").onchange = () => $("values").classList.toggle("lost", $("lost").checked);
  $("slider").oninput = () => requestAnimationFrame(() => setBudget(budgetOfSlider(), "slider"));
  $("budget").oninput = () => setBudget(Number($("budget").value), "number");
  $("budget").onchange = () => setBudget(Number($("budget").value));
  $("search").oninput = () => search($("search").value);
  $("search").onkeydown = (event) => event.key === "Enter" && next(event.shiftKey ? -1 : 1);
  $("next").onclick = () => next(1);
  $("previous").onclick = () => next(-1);
  for (const kind of ["pointerover", "click"]) {
    $("text").addEventListener(kind, (event) => {
      if (event.target.dataset.i) explain(Number(event.target.dataset.i));
    });
  }
  addEventListener("hashchange", fromAddress);
}

// page.html#k=32 opens at that budget
function fromAddress() {
  const asked = /^#k=(\d+)$/.exec(location.hash);
  setBudget(asked ? Number(asked[1]) : page.budget);
}

for (const span of page.spans) if (span.pinned) pinned.fill(1, ...span.value);
$("pinned").hidden = !page.pinned;
draw();
list();
listen();
fromAddress();
