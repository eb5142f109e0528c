"use strict";
// What the cache of a session holds: how much by turn, the values, and the text by why it is kept.

const REASONS = { segment: "its line", recalled: "came back", sponsored: "value", evicted: "not kept" };
const LEFT = 52, RIGHT = 330, TOP = 10, BOTTOM = 122; // the chart's frame, of 340 x 150

const number = (n) => n.toLocaleString("en");
const plural = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;

function bytes(n) {
  return n < 1e6 ? `${(n / 1e3).toFixed(n < 1e4 ? 1 : 0)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}

function draw({ history, runs = [], values = [], tokens, live, budget, pinned = 0, waiting = 0 }) {
  $("text").replaceChildren(...runs.map(([text, reason, count]) => {
    const node = made("i", "", text);
    node.dataset.r = reason;
    node.title = `${REASONS[reason] ?? reason}, ${plural(count, "token")}`;
    return node;
  }));
  const cameBack = ({ rule }) => rule === "recalled";
  const likely = (value) => cameBack(value) || value.confidence >= 0.5;
  const ordered = [...values].sort((a, b) => likely(b) - likely(a) || a.start - b.start);
  $("values").replaceChildren(...ordered.map((value) => {
    const unnamed = value.rule === "caller" ? "protected range" : likely(value) ? "value" : "unlikely value";
    const name = value.label || unnamed;
    const node = made("li", value.held ? "held" : "", name + (value.text === null ? "" : ` = ${value.text}`));
    const why = cameBack(value) ? "its line came back" : `${value.rule}, confidence ${value.confidence}`;
    node.append(made("small", "", `${why}, ${value.source}, `
      + `tokens ${value.start} to ${value.end}${value.held ? "" : " · not held"}`));
    return node;
  }));
  if (waiting) $("values").append(made("li", "note", "Values of lines that wait are not listed."));
  else if (!values.length) $("values").append(made("li", "held", history.length ? "None was found." : "No turn yet."));
  chart(history);
  const last = history[history.length - 1], lines = [];
  if (last) {
    const share = Math.round((100 * last[2]) / Math.max(1, last[3]));
    lines.push(`${bytes(last[2])} held; a full cache would hold ${bytes(last[3])}`
      + (last[2] < last[3] ? ` (${share}% of it).` : "."));
    lines.push(`${number(live)} of ${number(tokens)} tokens live (K = ${budget === null ? "no limit" : number(budget)}`
      + `${pinned ? `, ${number(pinned)} pinned beside it` : ""}).`);
    if (waiting) lines.push(`${plural(waiting, "line")} wait on the host and come back when asked for.`);
  } else lines.push("No turn yet.");
  $("numbers").replaceChildren(...lines.map((line) => made("p", "", line)));
}

function drawn(tag, attributes, text = "") {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.textContent = text;
  return node;
}

// Bytes that are held by turn, and beside them those of a full cache.
function chart(history) {
  const most = Math.max(1, ...history.map((point) => Math.max(point[2], point[3])));
  const across = (i) => history.length < 2 ? LEFT : LEFT + ((RIGHT - LEFT) * i) / (history.length - 1);
  const up = (n) => BOTTOM - ((BOTTOM - TOP) * n) / most;
  const nodes = [drawn("path", { d: `M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}`, class: "axis" })];
  for (const [name, column] of [["full", 3], ["held", 2]]) {
    const places = history.map((point, i) => `${across(i)} ${up(point[column])}`);
    if (places.length === 1) places.push(`${RIGHT} ${up(history[0][column])}`);
    nodes.push(drawn("path", { class: name, d: places.length ? "M" + places.join("L") : "" }));
  }
  const write = (x, y, anchor, text) => nodes.push(drawn("text", { x, y, "text-anchor": anchor }, text));
  if (history.length) {
    write(LEFT - 5, TOP + 8, "end", bytes(most));
    write(LEFT - 5, BOTTOM, "end", "0");
    write(LEFT, BOTTOM + 16, "start", "turn 1");
    if (history.length > 1) write(RIGHT, BOTTOM + 16, "end", `turn ${history.length}`);
  } else write((LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2, "middle", "bytes by turn, after the first one");
  $("chart").replaceChildren(...nodes);
  const last = history[history.length - 1];
  $("chart").setAttribute("aria-label", last
    ? `Bytes by turn: after ${plural(history.length, "turn")} ${bytes(last[2])} held, a full cache ${bytes(last[3])}`
    : "Bytes by turn: no turn yet");
}
