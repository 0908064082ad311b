// The numbers at the head of the page, which figures.go declares, as it and queries/figures.sql make them.

const figureFacts = [...page.headlines, ...page.spending, page.charged].map(h => h.fact);

function figureSums(choice) {
  const days = activeDays(choice);
  const active = { ...sums(days, 'active_ms', 'prompts', 'messages', 'real_times', 'repeats'), days: days.filter(r => r.messages > 0).length };
  const spent = sums(pick('cost', choice), 'input_tokens', 'output_tokens', 'messages', 'messages_tokens_known', 'cost_cents', 'cost_known', 'conversations');
  const billed = sums(pick('billed', choice), 'cost_cents', 'with_cost', 'charged_cents', 'with_charge', 'events');
  const all = {
    ...active, sessions: total(pick('sessions', choice), 'sessions'), ...sums(pick('tools', choice), 'calls', 'outcome_known', 'failed'), ...sums(pick('edits', choice), 'edits', 'decided', 'accepted'),
    input_tokens: spent.input_tokens, output_tokens: spent.output_tokens, answers: spent.messages, tokens_known: spent.messages_tokens_known, cost_cents: spent.cost_cents, cost_known: spent.cost_known,
    conversations: spent.conversations, billed_cents: billed.cost_cents, billed_with_cost: billed.with_cost, charged_cents: billed.charged_cents, billed_with_charge: billed.with_charge, billed_events: billed.events,
  };
  return column => all[column] ?? 0;
}

function shownHeadlines(now) {
  const spent = page.spending.find(h => now(h.known) > 0) ?? page.spending[1];
  return [...page.headlines, spent, ...spent === page.spending[0] ? [page.charged] : []];
}

// measure makes a figure, and says how complete its data is.
function measure(h, q) {
  const value = h.columns.reduce((sum, c) => sum + q(c), 0), known = q(h.known), all = q(h.all), isShare = h.unit === 'share';
  if (!h.known) return { value, known: q('messages') > 0 || value > 0, share: 0, basis: 0 };
  return { value: isShare ? value / Math.max(known, 1) : value, known: known > 0, of: `${count(known)} of ${count(all)}`, share: known / Math.max(all, 1), basis: isShare ? known : 0 };
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
  const before = cellOf(h, was.value), reason = incomparable(m, was, now, former);
  if (!was.known) return 'before: ' + h.why;
  if (reason) return `${before} before, but ${reason}: not comparable`;
  if (cellOf(h, m.value) === before) return 'as before';
  if (was.value === 0 || m.value >= 3 * was.value && was.value < 5 && h.unit !== 'share') return 'up from ' + before;
  const way = m.value < was.value ? 'down' : 'up', difference = Math.abs(m.value - was.value);
  if (h.unit === 'share') return `${way} ${(Math.round(difference * 1000) / 10).toFixed(1)} points from ${before}`;
  if (m.value >= 3 * was.value) return `${Math.round(m.value / was.value)} times the ${before} before`;
  return `${way} ${percent(difference / was.value)} from ${before}`;
}

// periodBefore is of the same length, and ends the day before.
function periodBefore(choice) {
  const days = daysOf(choice);
  return { ...choice, from: iso(day(choice.from) - days * dayLength), to: iso(day(choice.from) - dayLength) };
}

// compared says with what the figures of a choice are compared; '' if there is nothing to compare them with.
function compared(choice) {
  const earlier = periodBefore(choice), first = firstDay(choice);
  if (first ? first >= choice.from : !missing(['activity'], earlier)) return { earlier: null, says: 'Nothing is recorded before this period that it could be compared with.' };
  if (missing(['activity'], earlier)) return { earlier: null, says: 'What was before is not in this page, so that nothing is compared.' };
  return { earlier, says: `Each is compared with the ${plural(daysOf(choice), 'day')} before, ${periodWords(earlier)}.` };
}

function figuresOf(choice) {
  const now = figureSums(choice), { earlier } = compared(choice), before = earlier && figureSums(earlier), first = firstDay(choice);
  const begin = earlier && first > earlier.from ? 'the records begin on ' + longDay(first) : '';
  return shownHeadlines(now).map(h => {
    const m = measure(h, now);
    if (!m.known) return { label: h.label, value: notRecorded, change: '', note: h.why };
    const gone = before && missing([h.fact], earlier), repeats = now(h.repeats);
    const change = gone ? 'what was before is not in this page' : before ? changed(h, m, measure(h, before), { days: now('days') }, { days: before('days'), begin }) : '';
    const note = m.of ? `from ${m.of} ${h.things}` : repeats > 0 ? `each once: ${count(repeats)} repeated in forks or other tries` : '';
    return { label: h.label, value: cellOf(h, m.value), change, note };
  });
}
