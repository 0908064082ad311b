'use strict';
// Numbers, dates and sentences as format.go, period.go and card.go write them: what the page computes must look like what it was made with.

const nbsp = '\u00a0', notRecorded = '—';
const count = n => Math.trunc(n).toLocaleString('en-US');
const plural = (n, thing) => n === 1 ? '1 ' + thing : count(n) + ' ' + thing + 's';

// percent has one decimal below ten percent, and never rounds to 0 % or 100 %.
function percent(share) {
  const p = share * 100;
  if (p > 0 && p < 0.1) return `below 0.1${nbsp}%`;
  if (p > 99.9 && p < 100) return `above 99.9${nbsp}%`;
  if (p < 10 || p > 99) return (Math.round(p * 10) / 10).toFixed(1).replace(/\.0$/, '') + nbsp + '%';
  return Math.round(p) + nbsp + '%';
}

function duration(ms) {
  const minutes = Math.round(ms / 60000);
  if (ms > 0 && ms < 30000) return `below 1${nbsp}min`;
  if (minutes < 60) return minutes + nbsp + 'min';
  if (minutes >= 100 * 60) return count(Math.round(minutes / 60)) + nbsp + 'h';
  const hours = count(minutes / 60) + nbsp + 'h';
  return minutes % 60 ? hours + nbsp + minutes % 60 + nbsp + 'min' : hours;
}

function dollars(cents) {
  if (cents !== 0 && Math.abs(cents) < 1) return 'below $0.01';
  const whole = Math.round(Math.abs(cents));
  return `${cents < 0 ? '-' : ''}$${count(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
}

// short writes a large number in few characters.
function short(n) {
  if (n >= 999500000) return (Math.round(n / 1e8) / 10).toFixed(1) + nbsp + 'billion';
  if (n >= 99950000) return Math.round(n / 1e6) + nbsp + 'million';
  if (n >= 999500) return (Math.round(n / 1e5) / 10).toFixed(1) + nbsp + 'million';
  return count(n);
}

// Days are counted in UTC, whatever the zone here: the page's days are already those of its own zone.
const dayLength = 86400000;
const day = text => Date.parse(text + 'T00:00:00Z');
const iso = ms => new Date(ms).toISOString().slice(0, 10);
const monday = ms => ms - (new Date(ms).getUTCDay() + 6) % 7 * dayLength;
const week = text => iso(monday(day(text)));
const dayName = (ms, options) => new Date(ms).toLocaleDateString('en-GB', { timeZone: 'UTC', ...options });
const longDay = text => dayName(day(text), { day: 'numeric', month: 'long', year: 'numeric' });
const daysOf = ({ from, to }) => (day(to) - day(from)) / dayLength + 1;

function periodWords({ from, to }) {
  const first = from.slice(0, 4) === to.slice(0, 4) ? dayName(day(from), { day: 'numeric', month: 'long' }) : longDay(from);
  return `${first} to ${longDay(to)}`;
}

const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

// cellOf is a value as text for people.
function cellOf({ unit, nobody }, v) {
  if (v === null || v === undefined) return nobody || notRecorded;
  switch (unit) {
    case 'count': return count(v);
    case 'share': return percent(v);
    case 'millis': return duration(v);
    case 'cents': return dollars(v);
    case 'short': return short(v);
    case 'weekday': return weekdayNames[v % 7];
    case 'hour': return String(v).padStart(2, '0') + ':00';
    case 'show': return page.show + v;
  }
  return String(v);
}

// knownSentence says how complete the data of a chart is; '' if there is none.
function knownSentence(known, rows) {
  const sumOf = column => Math.trunc(rows.reduce((sum, r) => sum + (r[column] ?? 0), 0)), all = sumOf(known.of), n = sumOf(known.known);
  if (all === 0) return '';
  const share = n < all ? ` (${percent(n / all)})` : '', then = n === 0 && known.unless ? known.unless : known.then;
  return `${known.says} ${count(n)} of ${count(all)} ${known.things}${share}${then ? '; ' + then : ''}.`;
}
