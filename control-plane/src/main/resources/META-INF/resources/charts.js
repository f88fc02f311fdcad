// Charts as SVG: stacked bars of days, and areas over time. Colours are classes of the style sheet. The figures of a chart are in a table
// below it, for people who cannot see the chart.

import { clock } from './format.js';
import { html } from './html.js';

const WIDTH = 400;
const HEIGHT = 200;
const LEFT = 56;
const BOTTOM = 28;
const TOP = 12;
const SERIES = 6;
const REST = 'others';
const DAY = 86400000;

const height = (value, most) => (value / most) * (HEIGHT - TOP - BOTTOM);

/** All days from the first to the last one, so that a day without use is a gap. */
export function days(from, to) {
  const all = [];
  for (let at = Date.parse(`${from}T00:00:00Z`); at <= Date.parse(`${to}T00:00:00Z`); at += DAY) {
    all.push(new Date(at).toISOString().slice(0, 10));
  }
  return all;
}

/** The largest series by their sums; the others are one series. */
function series(items) {
  const sums = new Map();
  for (const item of items) sums.set(item.name, (sums.get(item.name) ?? 0) + item.value);
  const names = [...sums.keys()].sort((one, other) => sums.get(other) - sums.get(one) || one.localeCompare(other));
  return names.length <= SERIES ? names : [...names.slice(0, SERIES - 1), REST];
}

/** Lines with the values of the vertical axis. */
const Grid = ({ most, text }) => [0, 0.5, 1].filter((part) => part !== 0.5 || text(most / 2) !== text(most)).map((part) => {
  const y = HEIGHT - BOTTOM - height(most * part, most);
  return html`<path key=${`line${part}`} d=${`M${LEFT} ${y}H${WIDTH}`} class="grid" /><text key=${`text${part}`} x=${LEFT - 6} y=${y + 4} text-anchor="end">${text(most * part)}</text>`;
});

function Figure({ id, title, names, figures, children }) {
  return html`
    <figure id=${id}>
      <figcaption>${title}</figcaption>
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${title}>${children}</svg>
      ${names ? html`<ul class="legend">${names.map((name, number) => html`
        <li key=${name}><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" class=${`series-${number}`} /></svg>${name}</li>`)}</ul>` : null}
      <details><summary>Figures</summary>
        <div class="wide" tabindex="0" role="region" aria-label=${`Figures: ${title}`}><table><thead><tr>${figures.headings.map((heading) => html`<th key=${heading} scope="col">${heading}</th>`)}</tr></thead>
        <tbody>${figures.rows.map((row) => html`<tr key=${row[0]}>${row.map((cell, i) => html`<td key=${i} data-label=${figures.headings[i]}>${cell}</td>`)}</tr>`)}</tbody></table></div>
      </details>
    </figure>`;
}

/**
 * @param items of {day, name, value}
 * @param text returns the text of a value
 */
export function StackedBars({ id, title, items, text }) {
  const names = series(items);
  const nameOf = (item) => (names.includes(item.name) ? item.name : REST);
  const sorted = items.map((item) => item.day).sort();
  const all = sorted.length === 0 ? [] : days(sorted[0], sorted.at(-1));
  const values = new Map(all.map((day) => [day, new Map()]));
  for (const item of items) {
    const day = values.get(item.day);
    day.set(nameOf(item), (day.get(nameOf(item)) ?? 0) + item.value);
  }
  const most = Math.max(...all.map((day) => [...values.get(day).values()].reduce((sum, value) => sum + value, 0)), 0) || 1;
  const step = (WIDTH - LEFT) / Math.max(all.length, 1);
  const bars = all.flatMap((day, i) => {
    let top = HEIGHT - BOTTOM;
    const parts = names.flatMap((name, number) => {
      const value = values.get(day).get(name) ?? 0;
      if (value <= 0) return [];
      top -= height(value, most);
      return [html`<rect key=${`${day} ${name}`} x=${LEFT + i * step + step * 0.1} y=${top} width=${Math.min(step * 0.8, 60)} height=${height(value, most)}
        class=${`series-${number}`} data-series=${name} data-day=${day}><title>${day}, ${name}: ${text(value)}</title></rect>`];
    });
    return i % Math.ceil(all.length / 6) === 0
      ? [...parts, html`<text key=${day} x=${LEFT + i * step + step * 0.1} y=${HEIGHT - 8}>${day.slice(5)}</text>`] : parts;
  });
  const figures = { headings: ['Day', ...names], rows: all.map((day) => [day, ...names.map((name) => text(values.get(day).get(name) ?? 0))]) };
  return html`<${Figure} id=${id} title=${title} names=${names} figures=${figures}><${Grid} most=${most} text=${text} />${bars}<//>`;
}

/**
 * @param points of {at, value}: each holds for a step from its time on; the value is zero at other times
 * @param from begin of the time that the chart shows, in milliseconds
 */
export function Area({ id, title, points, from, to, step, text }) {
  const most = Math.max(...points.map((point) => point.value), 0) || 1;
  const x = (at) => LEFT + ((Math.min(Math.max(at, from), to) - from) / (to - from)) * (WIDTH - LEFT);
  const y = (value) => HEIGHT - BOTTOM - height(value, most);
  const outline = points.map((point) => `V${y(0)}H${x(point.at)}V${y(point.value)}H${x(point.at + step)}`).join('');
  // Days are marked at their beginning, so that the marks are whole days apart.
  const isOfDays = to - from > 2 * DAY;
  const apart = isOfDays ? Math.round((to - from) / DAY / 4) * DAY : (to - from) / 4;
  const first = isOfDays ? Math.ceil(from / DAY) * DAY : from;
  const ticks = [0, 1, 2, 3].map((part) => first + apart * part).filter((at) => at <= to - apart / 2);
  const label = (at) => (isOfDays ? clock(at).slice(5, 10) : clock(at).slice(11, 16));
  const figures = { headings: ['From (UTC)', title], rows: points.map((point) => [clock(point.at), text(point.value)]) };
  return html`<${Figure} id=${id} title=${title} figures=${figures}>
    <${Grid} most=${most} text=${text} />
    <path class="series-0" d=${`M${x(from)} ${y(0)}${outline}V${y(0)}Z`} />
    ${ticks.map((at) => html`<text key=${at} x=${x(at)} y=${HEIGHT - 8}>${label(at)}</text>`)}
  <//>`;
}
