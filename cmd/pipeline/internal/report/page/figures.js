// The numbers at the head of the page, as figures.go and queries/figures.sql make them.

const figureFacts = ['activity', 'sessions', 'tools', 'edits', 'cost', 'billed'];

function figureSums(choice) {
  const days = activeDays(choice);
  const active = { ...sums(days, 'active_ms', 'prompts', 'messages', 'real_times', 'repeats'), days: days.filter(r => r.messages > 0).length };
  const spent = sums(pick('cost', choice), 'input_tokens', 'output_tokens', 'messages', 'messages_tokens_known', 'cost_cents', 'cost_known', 'conversations');
  const billed = sums(pick('billed', choice), 'cost_cents', 'with_cost', 'events');
  const all = {
    ...active, sessions: total(pick('sessions', choice), 'sessions'), ...sums(pick('tools', choice), 'calls', 'outcome_known', 'failed'), ...sums(pick('edits', choice), 'edits', 'decided', 'accepted'),
    input_tokens: spent.input_tokens, output_tokens: spent.output_tokens, answers: spent.messages, tokens_known: spent.messages_tokens_known, cost_cents: spent.cost_cents, cost_known: spent.cost_known,
    conversations: spent.conversations, billed_cents: billed.cost_cents, billed_with_cost: billed.with_cost, billed_events: billed.events,
  };
  return column => all[column] ?? 0;
}

const ofKnown = (q, known, all) => `${count(q(known))} of ${count(q(all))}`;
const counted = column => q => ({ value: q(column), known: q('messages') > 0 || q(column) > 0, why: 'no messages', share: 0, basis: 0 });
const prompts = q => ({ ...counted('prompts')(q), aside: q('repeats') > 0 ? `each once: ${count(q('repeats'))} repeated in forks or other tries` : '' });
const added = (things, known, all, why, ...columns) => q => ({
  value: columns.reduce((sum, c) => sum + q(c), 0), known: q(known) > 0, why, of: ofKnown(q, known, all), things, share: q(known) / Math.max(q(all), 1), basis: 0,
});
const rated = (things, part, known, all, why) => q => ({
  value: q(part) / Math.max(q(known), 1), known: q(known) > 0, why, of: ofKnown(q, known, all), things, share: q(known) / Math.max(q(all), 1), basis: q(known),
});

function headlines(now) {
  const list = [
    { label: 'Active time', of: added('messages with a time of their own', 'real_times', 'messages', 'no message records its own time', 'active_ms'), write: duration },
    { label: 'Prompts', of: prompts, write: count },
    { label: 'Sessions', of: counted('sessions'), write: count },
    { label: 'Tool calls that failed', of: rated('calls with a known outcome', 'failed', 'outcome_known', 'calls', 'no outcome of a tool call is recorded'), write: percent, rate: true },
    { label: 'Edits accepted', of: rated('edits with a decision', 'accepted', 'decided', 'edits', 'no decision on an edit is recorded'), write: percent, rate: true },
    { label: 'Tokens', of: added('messages with token counts', 'tokens_known', 'answers', 'no message records tokens', 'input_tokens', 'output_tokens'), write: short },
  ];
  if (now('billed_with_cost') > 0) {
    list[5] = { label: 'Cost counted', of: added('events with a cost', 'billed_with_cost', 'billed_events', 'no event has a cost', 'billed_cents'), write: dollars };
  } else if (now('tokens_known') === 0 && now('cost_known') > 0) {
    list[5] = { label: 'Cost', of: added('conversations with a cost', 'cost_known', 'conversations', 'no conversation records a cost', 'cost_cents'), write: dollars };
  }
  return list;
}

// incomparable says why two periods cannot be compared; '' if they can.
const tooFew = 20;
function incomparable(m, was, now, before) {
  const low = Math.min(now.days, before.days), high = Math.max(now.days, before.days);
  if (before.begin) return before.begin;
  if (Math.max(m.share, was.share) > 2 * Math.min(m.share, was.share)) return 'from ' + was.of;
  if (was.basis > 0 && was.basis < tooFew) return 'from ' + was.of;
  if (high >= 4 * low && high > 0) return `on ${plural(before.days, 'day')} with messages, here on ${count(now.days)}`;
  return '';
}

function changed(h, m, was, now, former) {
  const before = h.write(was.value), reason = incomparable(m, was, now, former);
  if (!was.known) return 'before: ' + was.why;
  if (reason) return `${before} before, but ${reason}: not comparable`;
  if (h.write(m.value) === before) return 'as before';
  if (was.value === 0 || m.value >= 3 * was.value && was.value < 5 && !h.rate) return 'up from ' + before;
  const way = m.value < was.value ? 'down' : 'up', difference = Math.abs(m.value - was.value);
  if (h.rate) return `${way} ${(Math.round(difference * 1000) / 10).toFixed(1)} points from ${before}`;
  if (m.value >= 3 * was.value) return `${Math.round(m.value / was.value)} times the ${before} before`;
  return `${way} ${percent(difference / was.value)} from ${before}`;
}

// periodBefore is of the same length, and ends the day before.
function periodBefore(choice) {
  const days = daysOf(choice);
  return { ...choice, from: iso(day(choice.from) - days * dayLength), to: iso(day(choice.from) - dayLength) };
}

// behind are the facts of each figure.
const behind = { 'Active time': ['activity'], Prompts: ['activity'], Sessions: ['sessions'], 'Tool calls that failed': ['tools'], 'Edits accepted': ['edits'], 'Cost counted': ['billed'] };

// compared says with what the figures of a choice are compared; '' if there is nothing to compare them with.
function compared(choice) {
  const earlier = periodBefore(choice), first = firstDay(choice);
  if (first && first >= choice.from) return { earlier: null, says: 'Nothing is recorded before this period that it could be compared with.' };
  if (missing(['activity'], earlier)) return { earlier: null, says: 'What was before is not in this page, so that nothing is compared.' };
  return { earlier, says: `Each is compared with the ${plural(daysOf(choice), 'day')} before, ${periodWords(earlier)}.` };
}

function figuresOf(choice) {
  const now = figureSums(choice), { earlier } = compared(choice), before = earlier && figureSums(earlier), first = firstDay(choice);
  const begin = earlier && first > earlier.from ? 'the records begin on ' + longDay(first) : '';
  return headlines(now).map(h => {
    const m = h.of(now);
    if (!m.known) return { label: h.label, value: notRecorded, change: '', note: m.why };
    const gone = before && missing(behind[h.label] ?? ['cost'], earlier);
    const change = gone ? 'what was before is not in this page' : before ? changed(h, m, h.of(before), { days: now('days') }, { days: before('days'), begin }) : '';
    return { label: h.label, value: h.write(m.value), change, note: m.of ? `from ${m.of} ${m.things}` : m.aside ?? '' };
  });
}
