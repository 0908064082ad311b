// Behind a bar are conversations: a click on it, or Enter, lists them under the chart, each with the line that shows it in a terminal.

const mostListed = 200;

// whose says which conversations a mark stands for: a heading, a test of the facts' rows, and a project to go on with, if it is one.
const whose = {
  project: (value, label) => ({ heading: label, test: r => r.project === value, project: value }),
  week: value => ({ heading: 'week of ' + longDay(value), test: r => week(r.day) === value }),
  day: value => ({ heading: longDay(value), test: r => r.day === value }),
  tool: value => ({ heading: 'calls of ' + value, test: r => has(r.tools, 'tool', value) }),
  model: value => ({ heading: 'answers of ' + value, test: r => has(r.models, 'model', value) }),
  conversation: value => ({ heading: 'one of the fullest', test: r => conversation(r.conversation_id).id === value }),
  'billed week': value => ({ heading: 'counted in the week of ' + longDay(value), test: r => r.billed_models.length > 0 && week(r.day) === value }),
  'billed project': (value, label) => ({ heading: 'counted of ' + label, test: r => r.billed_models.length > 0 && r.project === value, project: value }),
  'billed model': value => ({ heading: 'counted under ' + value, test: r => has(r.billed_models, 'model', value) }),
  'model week': value => ({ heading: 'named models in the week of ' + longDay(value), test: r => r.models.length > 0 && week(r.day) === value }),
};

const has = (indexes, kind, value) => indexes.some(i => page.names[kind][i] === value);
const projectIndex = label => page.projects.findIndex(p => p.label === label);

// marked is the reading of a mark in a chart.
function marked(chart, mark) {
  const cell = column => chart.cell(mark.row, column);
  switch (chart.drill) {
    case 'project': case 'billed project': return whose[chart.drill](projectIndex(cell('project')), cell('project'));
    case 'week': case 'billed week': return whose[chart.drill](mark.week);
    case 'model': return whose['model week'](mark.week);
    case 'day': return whose.day(mark.day);
    case 'tool': return whose.tool(cell('tool'));
    case 'billed model': return whose[chart.drill](cell('model'));
    case 'conversation': return whose.conversation(cell('conversation_id').slice(page.show.length));
  }
}

// copyButton copies a line, and says that it did.
function copyButton(line, code) {
  const button = element('button', 'copy', 'Copy');
  button.type = 'button';
  button.setAttribute('aria-label', 'Copy: ' + line);
  button.addEventListener('click', async () => {
    let copied = true;
    try {
      await navigator.clipboard.writeText(line);
    } catch {
      getSelection().selectAllChildren(code);
      copied = document.execCommand('copy');
    }
    button.textContent = copied ? 'Copied' : 'Select it';
    say(copied ? 'Copied: ' + line : 'It could not be copied: it is selected.');
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  return button;
}

// showLine is the line that shows a conversation, with its button.
function showLine(line) {
  const code = element('code', '', line), box = element('span', 'line');
  box.append(code, copyButton(line, code));
  return box;
}

// tableOf has a row for each conversation: its name, which leads to its page if there is one, below it the line that shows it. A project that all have is not repeated.
function tableOf(title, rows) {
  const table = element('table'), head = element('tr'), body = element('tbody'), several = rows.some(r => r.project !== rows[0].project);
  table.append(element('caption', '', title));
  for (const [label, className] of [['Conversation', 'long'], ...several ? [['Project', 'long']] : [], ['Started', 't'], ['Messages', '']]) {
    const cell = element('th', className, label);
    cell.scope = 'col';
    head.append(cell);
  }
  table.createTHead().append(head);
  for (const r of rows) {
    const row = element('tr'), name = element('th', 'long');
    name.scope = 'row';
    const title = element(page.chats ? 'a' : 'span', 'title', r.name + (r.subagent ? ' (subagent)' : ''));
    if (page.chats) title.href = page.chats + encodeURIComponent(r.id);
    name.append(title, showLine(page.show + r.id));
    row.append(name, ...several ? [element('td', 'long', projectName(r.project))] : [], element('td', 't', r.started ?? notRecorded), element('td', '', count(r.messages)));
    body.append(row);
  }
  table.append(body);
  return table;
}

// openDrill lists the conversations of a reading under a chart. from has the focus again when the list is closed.
function openDrill(article, { heading, test, project }, from) {
  article.querySelector('.drill')?.remove();
  const choice = chosen(), rows = listed(pick('conversations', choice).filter(test)), gone = missing(['conversations'], choice);
  const panel = element('section', 'drill'), title = element('h4', '', `${plural(rows.length, 'conversation')}: ${heading}`), buttons = element('div', 'buttons');
  title.tabIndex = -1;
  title.id = article.id + '-drill';
  panel.setAttribute('aria-labelledby', title.id);
  const close = () => {
    panel.remove();
    from.focus();
  };
  const add = (label, act) => {
    const button = element('button', '', label);
    button.type = 'button';
    button.addEventListener('click', act);
    buttons.append(button);
  };
  if (project !== undefined && choice.project === null) add('Show only this project', () => choose({ ...choice, project }));
  add('Close', close);
  panel.addEventListener('keydown', e => { if (e.key === 'Escape') close(); });
  panel.append(title, buttons);
  if (rows.length > mostListed) panel.append(element('p', 'muted', `The latest ${count(mostListed)} are listed.`));
  if (gone) panel.append(element('p', 'muted', `Conversations of days before ${longDay(gone)} are not in this page: there is no room.`));
  if (rows.length) {
    const scroll = element('div', 'scroll');
    scroll.tabIndex = 0;
    scroll.setAttribute('role', 'region');
    scroll.setAttribute('aria-label', 'Conversations: ' + heading);
    scroll.append(tableOf('Conversations: ' + heading, rows.slice(0, mostListed)));
    panel.append(scroll);
  } else {
    panel.append(element('p', 'muted', 'None of these days is of a conversation that Cursor still has.'));
  }
  article.querySelector('.plot').after(panel);
  title.focus({ preventScroll: true });
  panel.scrollIntoView({ block: 'nearest' });
}

// Marks are buttons over a chart's bars, for the keyboard and for readers of the screen: one is in the order of Tab, arrows move among them, Enter
// opens. The mouse goes to the chart under them.
class Marks {
  constructor(article, chart, canvas) {
    Object.assign(this, { article, chart, canvas, list: [] });
    this.box = element('div', 'marks');
    this.box.setAttribute('role', 'group');
    this.box.setAttribute('aria-label', `${chart.title}: arrow keys move, Enter lists the conversations`);
    this.box.addEventListener('keydown', e => this.key(e));
    article.querySelector('.plot').append(this.box);
    const zr = canvas.getZr();
    zr.on('click', e => {
      const i = this.under(e);
      if (i >= 0) this.open(i);
    });
    zr.on('mousemove', e => { if (this.under(e) >= 0) zr.setCursorStyle('pointer'); });
  }

  under({ offsetX: x, offsetY: y }) { return this.list.findIndex(({ box: [left, top, w, h] }) => x >= left && x < left + w && y >= top && y < top + h); }

  open(i) { openDrill(this.article, marked(this.chart, this.list[i]), this.box.children[i]); }

  // place puts the buttons where the bars are.
  place(marks) {
    const focused = [...this.box.children].indexOf(document.activeElement);
    this.list = marks.filter(m => !m.none);
    this.box.hidden = !this.list.length;
    this.box.replaceChildren(...this.list.map((m, i) => {
      const button = element('button'), [left, top, w, h] = m.box;
      button.type = 'button';
      button.setAttribute('aria-label', m.name);
      Object.assign(button.style, { left: left + 'px', top: top + 'px', width: w + 'px', height: h + 'px' });
      button.addEventListener('click', () => this.open(i));
      button.addEventListener('focus', () => {
        this.stop(i);
        this.canvas.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: m.at });
      });
      button.addEventListener('blur', () => this.canvas.dispatchAction({ type: 'hideTip' }));
      return button;
    }));
    this.stop(Math.max(0, Math.min(focused, this.list.length - 1)));
    if (focused >= 0) this.box.children[Math.min(focused, this.list.length - 1)]?.focus();
  }

  // stop is the one that Tab comes to.
  stop(i) { [...this.box.children].forEach((b, n) => { b.tabIndex = n === i ? 0 : -1; }); }

  key(e) {
    const i = [...this.box.children].indexOf(document.activeElement), last = this.box.children.length - 1;
    const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
    const to = e.key === 'Home' ? 0 : e.key === 'End' ? last : e.key in steps ? Math.max(0, Math.min(last, i + steps[e.key])) : -1;
    if (i < 0 || to < 0) return;
    e.preventDefault();
    this.box.children[to].focus();
  }
}
