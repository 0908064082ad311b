// The cards of the page, and what is chosen: a period and a project.

// A Card shows a chart and its table for a choice.
class Card {
  constructor(article) {
    this.article = article;
    this.declared = JSON.parse(document.getElementById('data-' + article.id).textContent);
    this.table = article.querySelector('table');
    this.code = article.querySelector('.sql code');
    const holder = article.querySelector('[data-chart]'), cells = [...this.table.tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent));
    if (holder) {
      this.chart = new Chart(holder, this.declared);
      this.chart.set({ ...this.declared, cells });
      this.canvas = echarts.init(holder, null, { renderer: 'svg', width: holder.clientWidth || 600, height: 100 });
      if (this.declared.drill) this.marks = new Marks(article, this.chart, this.canvas);
      new ResizeObserver(() => this.fit(holder.clientWidth)).observe(holder);
    }
    this.lines();
    this.fit(holder?.clientWidth ?? 0);
  }

  part(name) { return this.article.querySelector(name); }

  // lines puts a button beside each line for a terminal.
  lines() {
    const at = this.declared.columns.findIndex(c => c.unit === 'show');
    if (at >= 0) for (const row of this.table.tBodies[0].rows) row.cells[at].replaceChildren(showLine(row.cells[at].textContent.trim()));
  }

  // show computes the card for a choice.
  show(choice) {
    const { always, columns, max, first, begins, measure, known, counted } = this.declared;
    if (always) return;
    const [of, rowsOf] = derive[this.article.id], rows = rowsOf(choice), gone = missing(of, choice);
    let { from } = choice, cut = '';
    const absent = !total(rows, measure) ? whyAbsent(choice, this.declared.absent) : '';
    const knowns = absent && absent !== this.declared.absent ? [] : known?.map(k => knownSentence(k, rows)).filter(s => s) ?? [];
    if (counted && page.events > choice.from && (!absent || absent === this.declared.absent)) knowns.push(`Events are known from ${longDay(page.events)} on.`);
    if (rows.length > max) {
      cut = `The ${count(max)} ${first} of ${count(rows.length)} are shown; the query has all.`;
      rows.length = max;
      from = begins ? iso(day(rows.at(-1)[begins]) + (begins === 'week' ? 7 * dayLength : 0)) : from;
    }
    cut = `${cut} ${leftOut(gone)}`.trim();
    const cells = rows.map(r => columns.map(c => cellOf(c, r[c.name])));
    this.fill(cells);
    this.say(absent, knowns, cut);
    this.code.textContent = this.code.textContent.replaceAll(shownCondition, condition(choice));
    if (!this.chart) return;
    this.chart.set({ cells, from, to: choice.to, rows: rows.map(r => columns.map(c => r[c.name] === null || r[c.name] === undefined ? null : c.unit === '' || c.unit === 'title' ? '' : r[c.name])) });
    this.drawn = 0;
    this.fit(this.chart.holder.clientWidth);
  }

  fill(cells) {
    const { columns } = this.declared;
    this.table.tBodies[0].replaceChildren(...cells.map(r => {
      const row = element('tr');
      r.forEach((text, i) => {
        const cell = element(i === 0 ? 'th' : 'td', columns[i].class, text);
        if (i === 0) cell.scope = 'row';
        row.append(cell);
      });
      return row;
    }));
    this.lines();
  }

  say(absent, knowns, cut) {
    this.part('.drill')?.remove();
    for (const name of ['.shows', '.plot', '.rows']) if (this.part(name)) this.part(name).hidden = absent !== '';
    Object.assign(this.part('.absent'), { hidden: absent === '', textContent: absent });
    Object.assign(this.part('.cut'), { hidden: cut === '', textContent: cut });
    this.part('.knowns').replaceChildren(...knowns.map(s => element('p', 'muted known', s)));
  }

  // fit draws the chart for a width.
  fit(wide) {
    if (!this.chart) return;
    const empty = this.part('.plot').hidden;
    if (empty) this.chart.legend([]);
    if (empty || wide === 0 || wide === this.drawn) return;
    this.drawn = wide;
    const { height, option, legend, marks } = draw[this.chart.draw](this.chart, wide);
    this.chart.legend((legend ?? []).map(([color, name, of]) => [color, name, of && this.opener(of)]));
    this.canvas.clear(); // what is drawn is of other rows
    this.canvas.resize({ width: wide, height });
    this.canvas.setOption({ animation: false, ...option }, true);
    this.canvas.getZr().flush();
    this.marks?.place(marks);
  }

  // opener lists the conversations of a name in a legend.
  opener({ series, value }) {
    return from => openDrill(this.article, series === 'project' ? whose.project(projectIndex(value), value) : whose.model(value), from);
  }
}

const leftOut = gone => gone && `Days before ${longDay(gone)} are not in this page, as there is no room: the query has them.`;

// whyAbsent says why there is nothing to draw.
function whyAbsent(choice, usual) {
  if (page.messages === 0 && !page.chosen && choice.project === null) return 'The warehouse holds no messages yet: pipeline run loads them.';
  if (!total(activeDays(choice), 'messages') && !missing(['activity'], choice)) return `No message is recorded from ${periodWords(choice)}${ofProject(choice)}.`;
  return usual;
}

const projectWords = ({ project }) => project === null ? page.chosen : projectName(project);
const ofProject = choice => projectWords(choice) ? ' in project ' + projectWords(choice) : '';

const cards = [...document.querySelectorAll('article')].map(article => new Card(article));

const byId = id => document.getElementById(id);
const box = byId('choice'), select = box.querySelector('select'), said = box.querySelector('[role=status]');
const firstFigures = [...byId('figures').children], figuresCode = byId('figures').parentElement.querySelector('code'), firstFrom = byId('period-from').textContent, firstBefore = byId('before').textContent;
const say = text => { said.textContent = text; };

// The periods that can be chosen end with the page's last day.
const endsWith = (days, from = iso(day(page.to) - (days - 1) * dayLength)) => ({ label: plural(days, 'day'), from });
function periods() {
  const last = page.limited ? page.from : facts('activity').map(r => r.day).sort()[0] ?? page.from;
  const all = { label: page.limited ? `From ${longDay(page.from)}` : 'All', from: last < page.from || page.limited ? last : page.from };
  const list = [endsWith(7), endsWith(30), endsWith(90), { ...endsWith(365), label: 'Year' }].filter(p => !page.limited || p.from > page.from);
  return [...list, all];
}

let current = { ...firstChoice }, shownCondition = page.condition;
const chosen = () => current;

// choose shows another period or project.
function choose(choice) {
  current = choice;
  for (const card of cards) card.show(choice);
  const figures = page.limited && choice.from === page.from && choice.project === null ? firstFigures : figuresOf(choice).map(figureElement);
  byId('figures').replaceChildren(...figures);
  figuresCode.textContent = figuresCode.textContent.replaceAll(shownCondition, condition(choice));
  shownCondition = condition(choice);
  const gone = missing(figureFacts, choice), left = byId('figures-left-out'), days = daysOf(choice);
  Object.assign(left, { hidden: !gone, textContent: leftOut(gone) });
  byId('before').textContent = figures === firstFigures ? firstBefore : compared(choice).says;
  byId('period').textContent = periodWords(choice) + (projectWords(choice) ? ' · project ' + projectWords(choice) : '');
  byId('period-from').textContent = choice.from === page.from ? firstFrom : `${plural(days, 'day')} up to ${page.up_to}`;
  document.title = document.title.replace(/: .*$/s, ': ' + periodWords(choice));
  pressed();
  say(`${byId('period').textContent}: ${byId('figures').querySelector('dd').textContent} of active time`);
}

function figureElement({ label, value, change, note }) {
  const figure = element('div');
  figure.append(element('dt', '', label), element('dd', 'value', value));
  if (change) figure.append(element('dd', '', change));
  if (note) figure.append(element('dd', 'muted', note));
  return figure;
}

function pressed() {
  let found = false;
  for (const button of box.querySelectorAll('.periods button')) {
    const is = !found && button.value === current.from;
    found ||= is;
    button.setAttribute('aria-pressed', String(is));
  }
  select.value = current.project ?? '';
}

function controls() {
  for (const { label, from } of periods()) {
    const button = element('button', '', label);
    Object.assign(button, { type: 'button', value: from });
    button.addEventListener('click', () => choose({ ...current, from }));
    box.querySelector('.periods').append(button);
  }
  const option = (value, label) => select.append(Object.assign(element('option', '', label), { value }));
  const of = new Set(['activity', 'billed', 'conversations'].flatMap(name => facts(name).map(r => r.project)));
  option('', page.chosen ? `All of ${page.chosen}` : 'All projects');
  [...of].sort((a, b) => (a === noProject) - (b === noProject) || projectName(a).localeCompare(projectName(b), 'en')).forEach(i => option(i, projectName(i)));
  select.addEventListener('change', () => choose({ ...current, project: select.value === '' ? null : Number(select.value) }));
  box.hidden = false;
  pressed();
}

controls();
// Paper is narrower than most screens, and a chart cannot see it coming by itself.
addEventListener('beforeprint', () => cards.filter(card => card.chart?.holder.clientWidth > 0).forEach(card => card.fit(640)));
addEventListener('afterprint', () => cards.forEach(card => card.fit(card.chart?.holder.clientWidth ?? 0)));
document.documentElement.dataset.ready = 'yes';
