// What every chart shares: its data, the texts of its table, tooltips, axes. Texts go into the page as text, never as markup, and colours are
// variables of the style: the page's policy refuses all else.

const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
const ink = 'var(--ink)', muted = 'var(--muted)', grid = 'var(--grid)';
const series = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'], steps = ['h0', 'h1', 'h2', 'h3', 'h4'];
const color = name => `var(--${name})`;
const text = (fill = muted) => ({ color: fill, fontFamily: font, fontSize, lineHeight: line });

// How large texts are is measured, in the font that the browser found: no two of these fonts are equally wide or high.
const fontSize = 12, pen = document.createElement('canvas').getContext('2d');
pen.font = `${fontSize}px ${font}`;
const width = s => Math.ceil(pen.measureText(s).width);
const line = (m => Math.ceil(m.fontBoundingBoxAscent + m.fontBoundingBoxDescent))(pen.measureText('0'));
// From an axis to its labels: half a line, as the lowest label of the other axis reaches half a line below this one.
const gap = Math.ceil(line / 2) + 2;
// Room under a chart for the labels of its axis, and for its name below them.
const labelRoom = gap + line + 2, nameRoom = labelRoom + line + 2;

function element(tag, className, content) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (content !== undefined) e.textContent = content;
  return e;
}

// A Chart is the data of one, and the table that says it in words. set gives it other rows.
class Chart {
  constructor(holder, declared) {
    Object.assign(this, declared);
    this.holder = holder;
    this.units = declared.columns.map(c => c.unit);
    this.labels = declared.columns.map(c => c.label);
    this.columns = declared.columns.map(c => c.name);
    this.at = Object.fromEntries(this.columns.map((c, i) => [c, i]));
  }
  set({ rows, cells, from, to }) { Object.assign(this, { rows, from, to, cells: cells.map(r => r.map(c => c.trim().replace(/[\r\n\t]+/g, ' '))) }); }
  // value is null where nothing is recorded; of a text it only tells that.
  value(row, column) { return this.rows[row][this.at[column]]; }
  cell(row, column) { return this.cells[row][this.at[column]]; }
  unit(column) { return this.units[this.at[column]]; }
  // fill puts cells into a text: {column}, or {column:thing} for so many things.
  fill(template, row) {
    return template.replace(/\{(\w+)(?::(\w+))?\}/g, (_, column, thing) => !thing ? this.cell(row, column) : this.value(row, column) === 1 ? '1 ' + thing : `${this.cell(row, column)} ${thing}s`);
  }

  // legend puts names of colours over the chart. One that stands for conversations is a button that lists them.
  legend(entries) {
    this.list?.remove();
    if (!entries.length) return;
    this.list = element('ul', 'legend');
    for (const [className, name, open] of entries) {
      const item = element('li'), label = element(open ? 'button' : 'span', open ? 'name' : '', name);
      if (className) item.append(element('i', 'swatch ' + className));
      if (open) {
        label.type = 'button';
        label.addEventListener('click', () => open(label));
      }
      item.append(label);
      this.list.append(item);
    }
    this.holder.parentElement.before(this.list);
  }

  // tip tells one row of the table.
  tip(row, heading) {
    const rest = this.labels.map((label, i) => [label, this.cells[row][i]]).filter(([label], i) => heading !== undefined || i > 0);
    return tipOf(heading ?? this.cells[row][0], rest.filter(([, v]) => v.trim() !== ''));
  }
}

function tipOf(heading, pairs) {
  const tip = element('div', 'tip');
  tip.append(element('strong', '', heading));
  const list = element('dl');
  for (const [label, value] of pairs) list.append(element('dt', '', label), element('dd', '', value));
  tip.append(list);
  return tip;
}

const tooltip = (trigger, formatter) => ({
  trigger, formatter, confine: true, transitionDuration: 0, backgroundColor: 'var(--card)', borderColor: 'var(--line)', textStyle: text(ink),
  axisPointer: { type: 'none' },
});

// under puts an axis's name below its labels.
const under = { nameLocation: 'middle', nameGap: labelRoom };

// category is an axis of names or days; values one of numbers, from zero.
const category = (data, label = {}, name = '') => ({
  type: 'category', data, name, ...under, nameTextStyle: text(), axisTick: { show: false }, axisLine: { lineStyle: { color: grid } }, axisLabel: { ...text(), margin: gap, ...label },
});
const values = (unit, name, more = {}) => ({
  type: 'value', min: 0, name, nameTextStyle: text(), axisLabel: { ...text(), margin: 8, hideOverlap: true, formatter: v => tick(v, unit) },
  splitLine: { lineStyle: { color: grid } }, minInterval: unit === 'count' ? 1 : 0, ...more,
});

// tick writes a number on an axis.
function tick(v, unit) {
  switch (unit) {
    case 'share': return +(v * 100).toFixed(1) + ' %';
    case 'millis': return v < 3600000 && v > 0 ? Math.round(v / 60000) + ' min' : +(v / 3600000).toFixed(1) + ' h';
    case 'cents': return '$' + (v / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  }
  if (v >= 1e9) return +(v / 1e9).toFixed(2) + ' billion';
  if (v >= 1e6) return +(v / 1e6).toFixed(2) + ' million';
  return v.toLocaleString('en-US');
}

const shortDay = (ms, length) => dayName(ms, length > 300 * dayLength ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' });
function weeks(from, to) {
  const out = [];
  for (let w = monday(day(from)); w <= day(to); w += 7 * dayLength) out.push(w);
  return out;
}

// shorten cuts a name to a width: a path in its middle, so that the file is still to be read.
function shorten(s, max) {
  if (width(s) <= max) return s;
  const chars = [...s];
  for (let keep = chars.length - 1; keep > 2; keep--) {
    const head = Math.floor(keep / (s.includes('/') ? 3 : 1.6));
    const cut = chars.slice(0, head).join('') + '…' + chars.slice(head - keep).join('');
    if (width(cut) <= max) return cut;
  }
  return '…';
}

// shortenFront leaves the end of a name.
function shortenFront(s, max) {
  const chars = [...s];
  for (let from = 1; from < chars.length; from++) if (width('…' + chars.slice(from).join('')) <= max) return '…' + chars.slice(from).join('');
  return '…';
}

// step is the place of a value among the steps of a scale that ends at max.
const step = (v, max) => Math.min(steps.length - 1, Math.floor(v / max * steps.length));
