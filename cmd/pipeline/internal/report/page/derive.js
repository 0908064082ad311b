// For each chart of a period: which facts it is of, and its rows, as its query makes them. The names are those of the columns in charts.go.

const named = r => ({ ...r, project: projectName(r.index) });
const sums = (rows, ...columns) => Object.fromEntries(columns.map(c => [c, total(rows, c)]));
const zero = v => v ?? 0;

const derive = {
  projects: [['activity', 'sessions'], choice => {
    const rows = [...pick('activity', choice), ...pick('sessions', choice)];
    const made = group(rows, r => r.project, all => ({
      index: all[0].project, active_ms: total(all, 'active_ms'), sessions: zero(total(all, 'sessions')), prompts: zero(total(all, 'prompts')), conversations: zero(total(all, 'conversations')),
      last_day: all.filter(r => r.messages > 0).map(r => r.day).sort().at(-1) ?? null, messages: zero(total(all, 'messages')), real_times: zero(total(all, 'real_times')),
    }));
    return ordered(made, ['active_ms', 'desc'], ['messages', 'desc'], 'index').map(named);
  }],

  weeks: [['activity'], choice => {
    const made = group(pick('activity', choice), r => week(r.day) + r.project, all => ({ week: week(all[0].day), index: all[0].project, ...sums(all, 'active_ms', 'prompts', 'messages', 'real_times') }));
    return ordered(made.filter(r => r.messages > 0), ['week', 'desc'], ['active_ms', 'desc'], ['messages', 'desc'], 'index').map(named);
  }],

  activity: [['activity'], choice => ordered(activeDays(choice).filter(r => r.messages > 0 || r.conversations > 0), ['day', 'desc'])],

  hours: [['hours'], choice => {
    const weekday = r => r.hour === null ? null : new Date(day(r.day)).getUTCDay() || 7;
    const made = group(pick('hours', choice), r => weekday(r) + ' ' + r.hour, all => ({ weekday: weekday(all[0]), hour: all[0].hour, ...sums(all, 'prompts', 'messages') }));
    return ordered(made.map(r => ({ ...r, timed: r.hour === null ? null : r.messages })), 'weekday', 'hour');
  }],

  conversations: [['conversations'], choice => listed(pick('conversations', choice)).filter(r => !r.subagent).map(r => ({ ...r, conversation_id: r.id, title: r.name, project: projectName(r.project), listed: 1 }))],

  tools: [['tools'], choice => {
    const made = group(pick('tools', choice), r => r.tool, all => ({ tool: all[0].tool, ...sums(all, 'failed', 'outcome_known', 'calls') }));
    return ordered(made.map(r => ({ ...r, failure_rate: share(r.failed, r.outcome_known), rare: r.outcome_known < 20 })), 'rare', ['failure_rate', 'desc'], ['calls', 'desc'], 'tool');
  }],

  fullest: [['context'], choice => {
    const rows = pick('context', choice).filter(r => r.share !== null).map(r => ({ ...r, of: conversation(r.conversation_id) }));
    const made = rows.map(({ of, ...r }) => ({ ...r, title: of.name, project: projectName(r.project), started: of.started, conversation_id: of.id }));
    return ordered(made, ['share', 'desc'], ['tokens_used', 'desc'], 'conversation_id');
  }],

  models: [['models'], choice => {
    const made = group(pick('models', choice), r => week(r.day) + ' ' + r.model, all => ({ week: week(all[0].day), model: all[0].model, answers: total(all, 'answers') }));
    return ordered(made.map(r => ({ ...r, named: r.model === null ? null : r.answers, unnamed: r.model === null })), ['week', 'desc'], 'unnamed', ['answers', 'desc'], 'model');
  }],

  context: [['context'], choice => {
    const step = r => r.share === null ? null : Math.min(Math.floor(r.share * 10), 10), rows = pick('context', choice);
    return [...Array(11).keys(), null].map(s => {
      const n = zero(total(rows.filter(r => step(r) === s), 'conversations'));
      return { context_used: s === null ? null : s === 10 ? '100 % and more' : `${10 * s} to ${10 * (s + 1)} %`, conversations: n, known: s === null ? null : n };
    });
  }],

  funnel: [['funnel'], choice => {
    const all = sums(pick('funnel', choice), 'prompts', 'replied', 'called_tools', 'proposed_edits', 'decided_edits', 'accepted_edits', 'committed', 'commits_known');
    const accepted = all.decided_edits > 0 ? all.accepted_edits : null;
    const rows = [
      { reached: 'prompt', turns: all.prompts }, { reached: 'reply', turns: all.replied }, { reached: 'tool call', turns: all.called_tools },
      { reached: 'proposed edit', turns: all.proposed_edits, proposed: all.proposed_edits },
      { reached: 'accepted edit', turns: accepted, decided: all.decided_edits, missing: accepted === null ? 'no decision is recorded' : null },
      { reached: 'commit', turns: all.committed, commits_known: zero(all.commits_known), missing: all.committed === null ? 'no repository was read' : null },
    ];
    return rows.map(r => ({ ...r, of_prompts: share(r.turns, all.prompts) }));
  }],

  edits: [['edits'], choice => {
    const made = group(pick('edits', choice), r => r.model, all => ({ model: all[0].model, ...sums(all, 'accepted', 'decided', 'edits', 'lines_added', 'lines_removed') }));
    return ordered(made.map(r => ({ ...r, acceptance: share(r.accepted, r.decided), rare: r.decided < 20 })), 'rare', ['acceptance', 'desc'], ['edits', 'desc'], 'model');
  }],

  files: [['files'], choice => {
    const made = group(pick('files', choice), r => r.project + ' ' + r.file, all => ({ file: all[0].file, index: all[0].project, ...sums(all, 'edits', 'lines_added', 'lines_removed', 'lines_known') }));
    return ordered(made, ['edits', 'desc'], 'file', 'index').map(named);
  }],

  tokens: [['cost'], choice => ordered(group(pick('cost', choice), r => week(r.day), all => ({
    week: week(all[0].day), ...sums(all, 'input_tokens', 'output_tokens', 'messages'), messages_known: total(all, 'messages_tokens_known'),
  })), ['week', 'desc'])],

  cost: [['cost'], choice => ordered(group(pick('cost', choice), r => week(r.day), all => ({
    week: week(all[0].day), ...sums(all, 'cost_cents', 'conversations'), conversations_known: total(all, 'cost_known'),
  })).filter(r => r.conversations > 0 || r.cost_cents !== null), ['week', 'desc'])],

  billed: [['billed'], choice => ordered(group(pick('billed', choice), r => week(r.day), all => ({ week: week(all[0].day), ...billedSums(all) })), ['week', 'desc'])],

  billed_charged: [['billed'], choice => counted(choice)],
  billed_tokens: [['billed'], choice => counted(choice)],

  billed_projects: [['billed'], choice => {
    const made = group(pick('billed', choice), r => r.project, all => ({ index: all[0].project, ...billedSums(all) }));
    return ordered(made.filter(r => r.events > 0), ['cost_cents', 'desc'], 'index').map(named);
  }],

  billed_models: [['billed'], choice => {
    const made = group(pick('billed', choice), r => r.model, all => ({ model: all[0].model, ...billedSums(all) }));
    return ordered(made.filter(r => r.events > 0), ['cost_cents', 'desc'], 'model');
  }],
};

// activeDays are the days of a choice; time that two projects share counts once.
const activeDays = choice => group(pick('activity', choice), r => r.day, all => ({
  day: all[0].day, active_ms: least(total(all, 'active_ms'), all.reduce((most, r) => greatest(most, r.day_active_ms), null)), ...sums(all, 'prompts', 'messages', 'real_times', 'conversations', 'repeats'),
}));

// counted are the weeks with an event.
const counted = choice => derive.billed[1](choice).filter(r => r.events > 0);

function billedSums(all) {
  const input = all.map(r => r.input_tokens === null || r.cache_read_tokens === null ? null : r.input_tokens + r.cache_read_tokens);
  const made = sums(all, 'events', 'with_tokens', 'with_cost', 'with_charge', 'with_conversation', 'input_tokens', 'cache_read_tokens', 'output_tokens', 'cost_cents', 'charged_cents', 'estimated_turns', 'estimated_with_cost',
    'estimated_cost_cents');
  return { ...made, cache_share: share(made.cache_read_tokens, total(input.map(v => ({ v })), 'v')), known_cents: greatest(made.cost_cents, made.estimated_cost_cents) };
}

// listed are the conversations of some rows, each once, those with the latest day first.
function listed(rows) {
  const made = group(rows, r => r.conversation_id, all => ({ ...conversation(all[0].conversation_id), messages: zero(total(all, 'messages')), last_day: all.map(r => r.day).sort().at(-1) }));
  return ordered(made, ['last_day', 'desc'], ['started', 'desc'], 'id');
}
