"use strict";
// SpanSelection (selection.py) over numbers that were computed beforehand; a test compares the two.
// page: {length, sinks, recent, doubtful, unlikely, unclosed, onTop, utility[length],
//   spans: [{value, extent, label, words, yields, doubtful}]}, spans by rank.

const EVICTED = 0, SINK = 1, RECENT = 2, SPONSORED = 3, LABEL = 4, UTILITY = 5, CLOSING = 6;

// A set of tokens that knows its size.
class Slots {
  constructor(length) {
    this.has = new Uint8Array(length);
    this.size = 0;
  }
  add(start, end) {
    for (let i = Math.max(start, 0); i < end; i++) {
      this.size += 1 - this.has[i];
      this.has[i] = 1;
    }
    return this;
  }
  addAll(others) {
    for (let i = 0; i < others.has.length; i++) if (others.has[i]) this.add(i, i + 1);
    return this;
  }
  missing(start, end) {
    let count = 0;
    for (let i = start; i < end; i++) count += 1 - this.has[i];
    return count;
  }
}

function fits([start, end], keep, hold, budget) {
  return keep.size + keep.missing(start, end) <= budget
    && hold.size + hold.missing(start, end) < budget;
}

// The end of a range, as much of it as fits.
function nearest([start, end], keep, hold, budget) {
  while (start < end && !fits([start, end], keep, hold, budget)) start += 1;
  return [start, end];
}

// What tells first what a value is: its label, or the words before it.
function lead(page, span) {
  return page.onTop && span.label[1] === span.label[0] ? span.words : span.label;
}

// Sinks and recent tokens of a selection, as a set.
function ends(page, sinks, recent) {
  const n = page.length;
  return new Slots(n).add(0, Math.min(sinks, n)).add(n - recent, n);
}

// Whether a doubtful value would hold more than such values leave to others; beside nothing it does not.
function crowds(page, span, chosen, [start, end], budget) {
  const free = span.doubtful > 1 && !page.onTop ? page.unlikely : page.doubtful;
  return span.doubtful && chosen.size
    && chosen.size + chosen.missing(start, end) > Math.max(free, budget >> 1);
}

// Whole spans with their closing tokens, best rank first, while they fit; where a sure one would
// be refused so, closing tokens after all values, unless that is worth less.
function admit(page, budget) {
  const closed = bestFirst(page, budget, true);
  if (closed.complete) return closed;
  const bare = bestFirst(page, budget, false);
  bare.unclosed = bare.unclosed.filter((span) => {
    const room = bare.hasRoom(span.extent, span);
    if (room) bare.take(span.extent);
    return !room;
  });
  const sure = (spans) => spans.filter((span) => !span.doubtful).length;
  const worth = ({admitted, unclosed}) =>
    sure(admitted.map((index) => page.spans[index])) - page.unclosed * sure(unclosed);
  return worth(bare) >= worth(closed) ? bare : closed;
}

function bestFirst(page, budget, closing) {
  const least = ends(page, Math.min(page.sinks, 1), Math.min(page.recent, 1));
  const full = ends(page, page.sinks, page.recent);
  const hold = ends(page, Math.min(page.sinks, 1), 0), spans = new Slots(page.length);
  const beyond = [least, full, hold].map((set) => new Slots(page.length).addAll(set));
  const [leastBeyond, fullBeyond, holdBeyond] = beyond; // with the labels of sure values too
  const admitted = [], refused = [], unclosed = [];
  const take = (range) => {
    for (const set of [least, full, hold, spans, ...beyond]) set.add(...range);
  };
  const hasRoom = (range, span) => {
    if (!span.doubtful) return fits(range, span.yields ? least : full, hold, budget);
    return !crowds(page, span, spans, range, budget)
      && fits(range, span.yields ? leastBeyond : fullBeyond, holdBeyond, budget);
  };
  page.spans.forEach((span, index) => {
    const ends = span.extent[1] > span.value[1];
    if (closing && ends && hasRoom(span.extent, span)) {
      take(span.extent);
    } else if (hasRoom(span.value, span)) {
      take(span.value);
      if (ends) unclosed.push(span);
    } else {
      refused.push(index);
      return;
    }
    admitted.push(index);
    if (!span.doubtful) for (const set of beyond) set.add(...lead(page, span));
  });
  const complete = refused.every((index) => page.spans[index].doubtful);
  return {spans, admitted, refused, unclosed, complete, take, hasRoom};
}

// Largest [sinks, recent] that fit beside the spans: recent gives way first.
function yielded(page, spans, budget) {
  let {sinks, recent} = page;
  for (;;) {
    const first = ends(page, sinks, 0), both = ends(page, sinks, recent);
    for (const set of [first, both]) set.addAll(spans);
    const over = both.size > budget;
    if (over && recent > 1) recent -= 1;
    else if ((over || first.size >= budget) && sinks > 1) sinks -= 1;
    else return [sinks, recent];
  }
}

// Tokens by utility, the newest of equals first; made once a page.
function ranking(page) {
  return Uint32Array.from(page.utility.keys())
    .sort((a, b) => page.utility[b] - page.utility[a] || b - a);
}

// What a cut to `budget` keeps: {reason[length], admitted, refused, sinks, recent}. What fits is not cut.
function select(page, budget, order) {
  const {spans, admitted, refused} = admit(page, budget);
  const [sinks, recent] = yielded(page, spans, budget);
  const keep = ends(page, sinks, recent).addAll(spans);
  const hold = ends(page, sinks, 0).addAll(spans);
  for (const first of [true, false]) { // then the words before a value, of which a label may lack some
    for (const index of admitted) {
      const span = page.spans[index], all = first ? lead(page, span) : span.words;
      if (all[1] === all[0]) continue;
      if (crowds(page, span, hold, all, budget)) continue;
      const room = first || page.onTop ? budget : budget >> 1;
      const words = first ? all : nearest(all, keep, hold, room);
      if (!fits(words, keep, hold, room)) continue;
      keep.add(...words);
      hold.add(...words);
    }
  }
  for (let i = 0; i < order.length && keep.size < budget; i++) keep.add(order[i], order[i] + 1);
  const reason = reasons(page, keep, admitted, recent);
  if (budget >= page.length) return {reason, admitted: [...page.spans.keys()], refused: [], sinks, recent};
  return {reason, admitted, refused, sinks, recent};
}

function reasons(page, keep, admitted, recent) {
  const reason = new Uint8Array(page.length);
  for (let i = 0; i < page.length; i++) {
    if (!keep.has[i]) continue;
    reason[i] = i < page.sinks ? SINK : i >= page.length - recent ? RECENT : UTILITY;
  }
  const parts = [["label", LABEL], ["words", LABEL], ["extent", CLOSING], ["value", SPONSORED]];
  for (const [part, name] of parts) {
    for (const index of admitted) {
      const [start, end] = page.spans[index][part];
      for (let i = start; i < end; i++) if (keep.has[i]) reason[i] = name;
    }
  }
  return reason;
}
