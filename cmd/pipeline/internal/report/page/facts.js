// The facts that the page carries, and what is chosen of them. A row of a fact has its day and the index of its project; facts.go writes them.

const page = JSON.parse(document.getElementById('facts').textContent);
const noProject = page.projects.length - 1, projectName = index => page.projects[index].label;
const ever = '1970-01-01';

// A choice is a period and a project: { from, to, project, label }. project is null for all that are in the page.
const firstChoice = { from: page.from, to: page.to, project: null };

const unpacked = new Map();
function facts(name) {
  if (!unpacked.has(name)) {
    const { days, columns } = page.facts[name];
    let at = 0;
    unpacked.set(name, days.map((step, i) => {
      at = i === 0 ? step : at - step;
      const row = { day: iso(at * dayLength) };
      for (const [column, list] of Object.entries(columns)) row[column] = Array.isArray(list) ? list[i] : list;
      row.project = row.project_uri;
      for (const column of ['tool', 'model', 'file']) if (column in row) row[column] = row[column] === null ? null : page.names[column][row[column]];
      return row;
    }));
  }
  return unpacked.get(name);
}

// pick are the rows of a fact that a choice is of.
const pick = (name, choice) => facts(name).filter(r => r.day >= choice.from && r.day <= choice.to && (choice.project === null || r.project === choice.project));

// A conversation as the page lists it.
function conversation(index) {
  const [id, name, project, minute, subagent] = page.conversations[index];
  return { id, name, project, started: minute === null ? null : new Date(minute * 60000).toISOString().slice(0, 16).replace('T', ' '), subagent: subagent === 1 };
}

// missing is the first day that is in the page of all these facts, if the choice begins before it; '' if nothing is missing.
const missing = (names, choice) => names.map(n => page.facts[n].begins).filter(begins => begins > choice.from).sort().at(-1) ?? '';

// firstDay is the first day with a message, of the chosen project; '' if the page does not know it.
function firstDay({ project }) {
  if (project === null || page.facts.activity.begins !== ever) return project === null ? page.first : '';
  return facts('activity').filter(r => r.messages > 0 && r.project === project).at(-1)?.day ?? '';
}

// condition is the part of the SQL that chooses.
const quoted = text => "'" + text.replaceAll("'", "''") + "'";
function condition(choice) {
  if (choice.from === page.from && choice.project === null) return page.condition;
  const all = page.condition.replace(/^day BETWEEN DATE '[^']*' AND DATE '[^']*'/, '');
  const projects = choice.project === null ? all : choice.project === noProject ? ' AND project_uri IS NULL' : ` AND project_uri IN (${quoted(page.projects[choice.project].uri)})`;
  return `day BETWEEN DATE '${choice.from}' AND DATE '${choice.to}'${projects}`;
}

// total adds up a column as SQL does: without rows that do not record it, and null if none does.
const total = (rows, column) => rows.reduce((sum, r) => r[column] === null || r[column] === undefined ? sum : (sum ?? 0) + r[column], null);
const greatest = (a, b) => a === null ? b : b === null ? a : Math.max(a, b);
const least = (a, b) => a === null ? b : b === null ? a : Math.min(a, b);
const share = (part, of) => part === null || !of ? null : part / of;

// group puts rows with the same key together, and makes one of each group.
function group(rows, key, make) {
  const groups = new Map();
  for (const r of rows) {
    const k = key(r);
    if (!groups.has(k)) groups.set(k, []);
    groups.get(k).push(r);
  }
  return [...groups.values()].map(make);
}

// ordered sorts as ORDER BY does: each order is a column, or [column, 'desc']; what is not recorded comes last.
function ordered(rows, ...orders) {
  const compare = (a, b) => a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;
  return rows.sort((a, b) => {
    for (const order of orders) {
      const [column, falling] = Array.isArray(order) ? order : [order, ''];
      const x = a[column] ?? null, y = b[column] ?? null, way = compare(x, y);
      if (way) return falling && x !== null && y !== null ? -way : way;
    }
    return 0;
  });
}
