// Elements of the page, made of texts that are set as texts, never as markup; and figures as people read them.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, value);
  }
  made.append(...children.map((child) => (child instanceof Node ? child : document.createTextNode(child ?? ''))));
  return made;
}

export function table(id, headings, rows, empty) {
  if (headings.some(([text]) => !text)) throw new Error(`table ${id}: each column needs a heading`);
  if (rows.length === 0) {
    return element('p', { class: 'empty', id }, empty);
  }
  const head = element('tr', {}, ...headings.map(([text, kind]) => element('th', { scope: 'col', class: kind ?? '' }, text)));
  const body = rows.map((row) =>
    element('tr', row.attributes ?? {}, ...row.cells.map((cell, i) => element('td', { class: headings[i][1] ?? '', 'data-label': headings[i][0] }, cell))));
  return element('div', { class: 'wide' }, element('table', { id }, element('thead', {}, head), element('tbody', {}, ...body)));
}

export const state = (name) => element('span', { class: `state ${name.toLowerCase()}` }, name.toLowerCase());
export const link = (machine) => element('a', { href: `#/machines/${machine}`, class: 'id' }, machine.slice(0, 8));

/** Two places for people, rounded half up; nano-units are integers, so nothing is lost before that. */
export function money(nanos, currency) {
  const cents = ((BigInt(nanos) + 5000000n) / 10000000n).toString().padStart(3, '0');
  return `${cents.slice(0, -2)}.${cents.slice(-2)}${currency ? ` ${currency}` : ''}`;
}

export function age(since, until = Date.now()) {
  const seconds = Math.max(0, Math.floor((until - Date.parse(since)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}

/** Powers of 1024, as memory is counted. */
export function bytes(count) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let value = count;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

export const clock = (time) => new Date(time).toISOString().replace('T', ' ').slice(0, 19);

/** A period of less than a day, as the API has it: PT1M7.5S. */
export function period(text) {
  const [, hours, minutes, seconds] = text.match(/^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/) ?? [];
  const parts = [[hours, 'h'], [minutes, 'min'], [seconds && Number(seconds).toFixed(hours || minutes ? 0 : 1), 's']];
  return parts.filter(([value]) => value).map(([value, unit]) => `${value} ${unit}`).join(' ') || text;
}
