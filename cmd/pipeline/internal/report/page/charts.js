// One function for each way of drawing: given the chart and the width that it has, the options for ECharts, a height, and the marks: what can be
// chosen in it, each with its place, its name, and what it is a mark of.

const draw = {
  // Names from top to bottom, a bar for each, its numbers at its end.
  bars(chart, wide) {
    const { label, value, end, short: brief, rare, below, least, missing, path, axis, apart } = chart.hints;
    const rows = chart.rows.map((_, i) => i), unit = chart.unit(value);
    const known = i => chart.value(i, value) !== null;
    const ends = rows.map(i => known(i) ? chart.fill(wide < 420 && brief ? brief : end, i) : missing ? 'not known: ' + chart.cell(i, missing) : 'not recorded');
    const names = distinct(rows.map(i => path ? lastParts(chart.cell(i, label)) : chart.cell(i, label)), (apart ?? []).map(c => i => chart.cell(i, c)));
    const room = Math.min(Math.max(...names.map(width)) + 4, Math.floor(wide * (wide < 420 ? 0.34 : 0.4)));
    const isRare = i => rare && (chart.value(i, rare) ?? 0) < below;
    const right = Math.min(Math.max(0, ...rows.filter(known).map(i => width(ends[i]))) + 12, Math.floor(wide * 0.45));
    const max = Math.max(least ?? 0, ...rows.map(i => chart.value(i, value) ?? 0)), high = Math.max(24, line + 8), cut = uncollided(names, room);
    return {
      height: 4 + rows.length * high + (axis ? nameRoom : labelRoom),
      marks: rows.map(i => ({ row: i, at: i, box: [0, 4 + i * high, wide, high], name: `${names[i]}: ${ends[i]}` })),
      option: {
        grid: { left: room + 10, right, top: 4, bottom: axis ? nameRoom : labelRoom },
        tooltip: tooltip('axis', p => chart.tip(p[0].dataIndex)),
        yAxis: { ...category(rows, { width: room, interval: 0, color: ink, formatter: i => cut[i] }), inverse: true },
        xAxis: values(unit, axis, { ...under, ...(least ? { max, interval: wide < 420 ? 0.5 : 0.25 } : { splitNumber: wide < 420 ? 2 : 4 }), ...(least ? {} : evenSteps(unit, max, wide < 420 ? 2 : 4)) }),
        series: [{
          type: 'bar', barWidth: 14, cursor: 'default',
          data: rows.map(i => ({
            value: chart.value(i, value) ?? 0, itemStyle: { color: color(isRare(i) ? 'other' : 'c1') },
            label: { color: isRare(i) ? muted : ink, formatter: () => shorten(ends[i], known(i) ? right - 8 : wide - room - 20) },
          })),
          label: { show: true, position: 'right', ...text(ink) }, emphasis: { disabled: true },
        }],
      },
    };
  },

  // Columns side by side: weeks of the period (one that is not there leaves a gap) or the query's own order; stacked where there are several.
  columns(chart, wide) {
    const { category: own, series: by, values: columns, below } = chart.hints;
    const places = own ? chart.rows.map((_, i) => i).filter(i => chart.value(i, own) !== null) : weeks(chart.from, chart.to);
    const placeOf = i => own ? places.indexOf(i) : places.indexOf(day(chart.value(i, 'week')));
    const stacks = by ? topSeries(chart, by, columns[0], chart.hints.others) : columns.map((c, n) => ({ name: chart.labels[chart.at[c]], column: c, color: series[n], rows: chart.rows.map((_, i) => i) }));
    const name = p => own ? chart.cell(places[p], own) : 'Week of ' + dayName(places[p], { day: 'numeric', month: 'long', year: 'numeric' });
    const tip = p => {
      const rows = chart.rows.map((_, i) => i).filter(i => placeOf(i) === p);
      if (!rows.length) return tipOf(name(p), [['nothing recorded', '']]);
      return by ? tipOf(name(p), rows.map(i => [chart.cell(i, by), chart.cell(i, columns[0])])) : chart.tip(rows[0], name(p));
    };
    const data = stacks.map(s => places.map((_, p) => sum(s.rows.filter(i => placeOf(i) === p).map(i => chart.value(i, s.column)))));
    const unit = chart.unit(columns[0]), max = Math.max(1, ...places.map((_, p) => sum(data.map(d => d[p])) ?? 0));
    const labels = places.map((p, i) => own ? tenths(name(i)) : shortDay(p, places.length * 7 * dayLength)), half = Math.ceil(Math.max(0, ...labels.map(width)) / 2);
    const left = Math.max(half, 14 + Math.max(...[1, 1.25, 1.5].map(f => width(tick(unit === 'count' ? Math.ceil(max * f) : max * f, unit)))));
    const right = Math.max(12, half), each = (wide - left - right) / places.length, totals = places.map((_, p) => sum(data.map(d => d[p])));
    return {
      height: 240, legend: stacks.length > 1 || by ? stacks.map(s => [s.color, s.name, by && s.color !== 'other' ? { series: by, value: s.name } : undefined]) : [],
      marks: own ? [] : places.map((w, p) => ({ week: iso(w), at: p, box: [left + p * each, line + 12, each, 240 - line - 12 - labelRoom], name: `${name(p)}: ${cellOf({ unit }, totals[p])}`, none: totals[p] === null })),
      option: {
        grid: { left, right, top: line + 12, bottom: below ? nameRoom : labelRoom },
        tooltip: tooltip('axis', p => tip(p[0].dataIndex)),
        xAxis: category(places.map((_, p) => p), { hideOverlap: true, interval: own ? (wide < 420 ? 1 : 0) : 'auto', formatter: p => labels[p] }, below),
        yAxis: values(unit, chart.hints.axis, { nameTextStyle: { ...text(), align: 'left', padding: [0, 0, 0, 2 - left] }, splitNumber: 4, ...evenSteps(unit, max, 4) }),
        series: stacks.map((s, n) => ({
          type: 'bar', stack: 'all', name: s.name, barMaxWidth: 34, barCategoryGap: '25%', cursor: 'default', itemStyle: { color: color(s.color) }, emphasis: { disabled: true },
          data: data[n],
        })),
      },
    };
  },

  // Weeks from left to right, Monday to Sunday downwards.
  calendar(chart, wide) {
    const { value, missing, none } = chart.hints;
    const all = weeks(chart.from, chart.to), left = weekdayRoom;
    const size = Math.max(11, Math.min(22, Math.floor((wide - left) / all.length))), fit = Math.floor((wide - left) / size);
    const until = Math.max(fit, all.findLastIndex(w => chart.rows.some(r => monday(day(r[chart.at.day])) === w)) + 1);
    const shown = all.slice(Math.max(0, until - fit), until), first = day(chart.from), last = day(chart.to), months = monthNames(shown, size, wide - left);
    const rowOf = new Map(chart.rows.map((r, i) => [r[chart.at.day], i]));
    const max = Math.max(1, ...chart.rows.map((_, i) => chart.value(i, value) ?? 0));
    const most = chart.rows.findIndex((_, i) => chart.value(i, value) === max), cells = [];
    shown.forEach((week, x) => {
      for (let y = 0; y < 7; y++) {
        const ms = week + y * dayLength, row = rowOf.get(iso(ms));
        if (ms >= first && ms <= last) cells.push({ value: [x, y], row, ms, style: square(row === undefined ? undefined : chart.value(row, value), max) });
      }
    });
    const days = ms => dayName(ms, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
    const note = fit < all.length ? [['', `${fit} of ${all.length} weeks are drawn, up to the last with a message; the table has all`]] : [];
    return {
      marks: cells.map((c, i) => ({ day: iso(c.ms), at: i, box: [left + c.value[0] * size, 4 + c.value[1] * size, size, size], none: c.row === undefined,
        name: `${days(c.ms)}: ${c.row === undefined ? none : chart.cell(c.row, value)}` })),
      height: 4 + 7 * size + labelRoom, legend: [...scale('active time in a day', most < 0 ? '' : chart.cell(most, value)), ['none', none], ['unknown', missing], ...note],
      option: matrix(cells, { size, left, columns: shown.length, rows: weekdays, tip: c => c.row === undefined ? tipOf(days(c.ms), [['nothing recorded', '']]) : chart.tip(c.row, days(c.ms)),
        column: x => months[x] }),
    };
  },

  // Hours from left to right, Monday to Sunday downwards.
  hours(chart, wide) {
    const { value } = chart.hints, left = weekdayRoom, size = Math.min(22, (wide - left) / 24);
    const rowOf = new Map(chart.rows.map((r, i) => [r[chart.at.weekday] + ' ' + r[chart.at.hour], i]));
    const max = Math.max(1, ...chart.rows.map((_, i) => chart.value(i, 'hour') === null ? 0 : chart.value(i, value)));
    const cells = [], name = (x, y) => `${dayName(day('2024-01-01') + y * dayLength, { weekday: 'long' })}, ${x}:00 to ${x + 1}:00`;
    for (let y = 0; y < 7; y++) for (let x = 0; x < 24; x++) {
      const row = rowOf.get(`${y + 1} ${x}`);
      cells.push({ value: [x, y], row, style: square(row === undefined ? undefined : chart.value(row, value), max) });
    }
    return {
      height: 4 + 7 * size + labelRoom, legend: scale('messages in an hour', tick(max, 'count')),
      option: matrix(cells, { size, left, columns: 24, rows: weekdays, column: x => x % 6 ? '' : x + ':00',
        tip: c => c.row === undefined ? tipOf(name(...c.value), [['no message', '']]) : tipOf(name(...c.value), [['Prompts', chart.cell(c.row, 'prompts')], ['Messages', chart.cell(c.row, 'messages')]]) }),
    };
  },
};

const tenths = name => name.startsWith('100') ? '100+' : name.split(' ')[0] + '–' + name.split(' ')[2];
// evenSteps puts the lines of an axis of time at whole hours, or at whole parts of one, and of one of shares at whole parts of 100 %.
function evenSteps(unit, max, lines) {
  const steps = { millis: [1 / 12, 1 / 4, 1 / 2, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000].map(h => h * 3600000), share: [0.01, 0.02, 0.05, 0.1, 0.25, 0.5] }[unit];
  if (!steps) return {};
  const interval = steps.find(s => max <= lines * s) ?? steps.at(-1);
  return { interval, max: Math.max(1, Math.ceil(max / interval)) * interval };
}

const sum = list => list.every(v => v === null) ? null : list.reduce((a, b) => a + (b ?? 0), 0);

// distinct makes names differ: those that are the same get what tells them apart, from the first of the columns that does.
function distinct(names, columns) {
  let out = names;
  for (const column of columns) {
    const counts = new Map();
    for (const n of out) counts.set(n, (counts.get(n) ?? 0) + 1);
    out = out.map((n, i) => counts.get(n) > 1 ? `${n} · ${column(i)}` : n);
  }
  return out;
}

// uncollided are names cut to a width; those that would look the same are cut at their beginning.
function uncollided(names, room) {
  const cut = names.map(n => shorten(n, room));
  return cut.map((c, i) => cut.indexOf(c) === cut.lastIndexOf(c) ? c : shortenFront(names[i], room));
}

// lastParts leaves the folders above a project out of a whole path: the tooltip and the table have them.
const lastParts = path => /^([/~]|[a-z]:|[a-z-]+:\/\/)/i.test(path) ? '…/' + path.split(/[/\\]/).slice(-3).join('/') : path;

// topSeries are the largest names, and the others as one. What is not named is none of them.
function topSeries(chart, by, column, others) {
  const totals = new Map(), named = i => chart.value(i, by) !== null;
  chart.rows.forEach((_, i) => { if (named(i)) totals.set(chart.cell(i, by), (totals.get(chart.cell(i, by)) ?? 0) + chart.value(i, column)); });
  const names = [...totals.keys()].sort((a, b) => totals.get(b) - totals.get(a));
  const most = names.length > series.length ? names.slice(0, series.length - 1) : names;
  const of = test => chart.rows.map((_, i) => i).filter(i => named(i) && test(chart.cell(i, by)));
  const out = most.map((n, at) => ({ name: n, column, color: series[at], rows: of(v => v === n) }));
  if (most.length < names.length) out.push({ name: `${names.length - most.length} other ${others}`, column, color: 'other', rows: of(v => !most.includes(v)) });
  return out;
}

// weekdays are the rows of a matrix of days, weekdayRoom is what their names take.
const weekdays = ['Mon', '', 'Wed', '', 'Fri', '', 'Sun'], weekdayRoom = Math.max(...weekdays.map(width)) + 10;

// square is how a cell of a matrix looks: undefined has no row, null no value.
function square(v, max) {
  if (v === undefined) return { fill: color('empty') };
  if (v === null) return { fill: 'none', stroke: muted, lineWidth: 1 };
  return { fill: color(steps[step(v, max)]) };
}

// scale explains the steps: the five colours, each as long as the others, from nothing to the largest value.
const scale = (what, max) => steps.map((c, i) => [c, i === 0 ? what + ': least' : i === steps.length - 1 ? 'most, ' + max : '']);

// monthNames has the month's name at its first week, where there is room for it; the year at the first name and with each January.
function monthNames(weeks, size, wide) {
  const month = ms => new Date(ms).getUTCMonth();
  let free = 0, year = 0;
  return weeks.map((ms, x) => {
    const begins = x === 0 ? month(ms) === month(weeks[Math.min(2, weeks.length - 1)]) : month(ms) !== month(weeks[x - 1]);
    if (!begins) return '';
    const dated = new Date(ms).getUTCFullYear() !== year, name = dayName(ms, dated ? { month: 'short', year: 'numeric' } : { month: 'short' });
    const room = x * size >= free && x * size + width(name) <= wide;
    if (!room) return '';
    free = x * size + width(name) + 8;
    year = new Date(ms).getUTCFullYear();
    return name;
  });
}

// matrix draws squares in columns and rows.
function matrix(cells, { size, left, columns, rows, column, tip }) {
  const axis = { axisLine: { show: false }, axisTick: { show: false } };
  return {
    grid: { left, top: 4, width: columns * size, height: rows.length * size },
    tooltip: tooltip('item', p => tip(cells[p.dataIndex])),
    xAxis: { ...category([...Array(columns).keys()], { interval: 0, formatter: x => column(+x), align: 'left', padding: [0, 0, 0, -size / 2] }), ...axis },
    yAxis: { ...category(rows.map((_, y) => y), { interval: 0, formatter: y => rows[y] }), ...axis, inverse: true },
    series: [{
      type: 'custom', cursor: 'default', data: cells.map(c => c.value),
      renderItem(p, api) {
        const [x, y] = api.coord([api.value(0), api.value(1)]), side = size - 2;
        return { type: 'rect', shape: { x: x - side / 2, y: y - side / 2, width: side, height: side, r: 2 }, style: cells[p.dataIndex].style };
      },
    }],
  };
}
