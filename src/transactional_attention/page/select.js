"use strict";
// SpanSelection (selection.py) over numbers that were computed beforehand; a test compares the two.
// page: {length, sinks, recent, utility[length], spans: [{value, label, yields}]}, spans by rank.

const EVICTED = 0, SINK = 1, RECENT = 2, SPONSORED = 3, LABEL = 4, UTILITY = 5;

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

// Sinks and recent tokens of a selection, as a set.
function ends(page, sinks, recent) {
  const n = page.length;
  return new Slots(n).add(0, Math.min(sinks, n)).add(n - recent, n);
}

// Whole spans, best rank first, while they fit beside the mandatory tokens.
function admit(page, budget) {
  const least = ends(page, Math.min(page.sinks, 1), Math.min(page.recent, 1));
  const full = ends(page, page.sinks, page.recent);
  const hold = ends(page, Math.min(page.sinks, 1), 0);
  const admitted = [], refused = [];
  page.spans.forEach((span, index) => {
    if (!fits(span.value, span.yields ? least : full, hold, budget)) {
      refused.push(index);
      return;
    }
    for (const set of [least, full, hold]) set.add(...span.value);
    admitted.push(index);
  });
  return {admitted, refused};
}

// Largest [sinks, recent] that fit beside the spans: recent gives way first.
function yielded(page, admitted, budget) {
  let {sinks, recent} = page;
  for (;;) {
    const first = ends(page, sinks, 0), both = ends(page, sinks, recent);
    for (const index of admitted) {
      first.add(...page.spans[index].value);
      both.add(...page.spans[index].value);
    }
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

// What a cut to `budget` keeps: {reason[length], admitted, refused, sinks, recent}.
function select(page, budget, order) {
  const {admitted, refused} = admit(page, budget);
  const [sinks, recent] = yielded(page, admitted, budget);
  const keep = ends(page, sinks, recent), hold = ends(page, sinks, 0);
  for (const index of admitted) {
    keep.add(...page.spans[index].value);
    hold.add(...page.spans[index].value);
  }
  for (const index of admitted) {
    const label = page.spans[index].label;
    if (label[1] > label[0] && fits(label, keep, hold, budget)) {
      keep.add(...label);
      hold.add(...label);
    }
  }
  for (let i = 0; i < order.length && keep.size < budget; i++) keep.add(order[i], order[i] + 1);
  return {reason: reasons(page, keep, admitted, recent), admitted, refused, sinks, recent};
}

function reasons(page, keep, admitted, recent) {
  const reason = new Uint8Array(page.length);
  for (let i = 0; i < page.length; i++) {
    if (!keep.has[i]) continue;
    reason[i] = i < page.sinks ? SINK : i >= page.length - recent ? RECENT : UTILITY;
  }
  for (const [part, name] of [["label", LABEL], ["value", SPONSORED]]) {
    for (const index of admitted) {
      const [start, end] = page.spans[index][part];
      for (let i = start; i < end; i++) if (keep.has[i]) reason[i] = name;
    }
  }
  return reason;
}
