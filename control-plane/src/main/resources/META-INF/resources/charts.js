// Charts as SVG elements: bars of days, stacked by what they are split by. Colours are classes of the style sheet, and each chart
// has its figures as a table behind it, which is what a reader without eyes is given.

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 400;
const HEIGHT = 200;
const LEFT = 48;
const BOTTOM = 28;
const TOP = 12;
const SERIES = 6;
const REST = 'others';

function shape(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** All days from the first to the last one, so that a day without use is a gap. */
export function days(from, to) {
  const all = [];
  for (let at = Date.parse(`${from}T00:00:00Z`); at <= Date.parse(`${to}T00:00:00Z`); at += 86400000) {
    all.push(new Date(at).toISOString().slice(0, 10));
  }
  return all;
}

/** The largest series by their sums, and the others as one. */
function series(items) {
  const sums = new Map();
  for (const item of items) sums.set(item.name, (sums.get(item.name) ?? 0) + item.value);
  const names = [...sums.keys()].sort((one, other) => sums.get(other) - sums.get(one) || one.localeCompare(other));
  return names.length <= SERIES ? names : [...names.slice(0, SERIES - 1), REST];
}

/**
 * @param items of {day, name, value}
 * @param text what a value is called
 */
export function stackedBars(id, title, items, text) {
  const names = series(items);
  const of = (item) => (names.includes(item.name) ? item.name : REST);
  const sorted = items.map((item) => item.day).sort();
  const all = sorted.length === 0 ? [] : days(sorted[0], sorted.at(-1));
  const values = new Map(all.map((day) => [day, new Map()]));
  for (const item of items) {
    const day = values.get(item.day);
    day.set(of(item), (day.get(of(item)) ?? 0) + item.value);
  }
  const most = Math.max(...all.map((day) => [...values.get(day).values()].reduce((sum, value) => sum + value, 0)), 0) || 1;
  const step = (WIDTH - LEFT) / Math.max(all.length, 1);
  const height = (value) => (value / most) * (HEIGHT - TOP - BOTTOM);
  const chart = shape('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-labelledby': `${id}-title` });
  chart.append(shape('title', { id: `${id}-title` }, title));
  for (const part of [0, 0.5, 1]) {
    const y = HEIGHT - BOTTOM - height(most * part);
    chart.append(
      shape('path', { d: `M${LEFT} ${y}H${WIDTH}`, class: 'grid' }),
      shape('text', { x: LEFT - 6, y: y + 4, 'text-anchor': 'end' }, text(most * part)));
  }
  all.forEach((day, i) => {
    let top = HEIGHT - BOTTOM;
    names.forEach((name, number) => {
      const value = values.get(day).get(name) ?? 0;
      if (value > 0) {
        top -= height(value);
        chart.append(shape(
          'rect',
          {
            x: LEFT + i * step + step * 0.1, y: top, width: Math.min(step * 0.8, 60), height: height(value),
            class: `series-${number}`, 'data-series': name, 'data-day': day,
          },
          shape('title', {}, `${day}, ${name}: ${text(value)}`)));
      }
    });
    if (i % Math.ceil(all.length / 6) === 0) {
      chart.append(shape('text', { x: LEFT + i * step + step * 0.1, y: HEIGHT - 8 }, day.slice(5)));
    }
  });
  return figure(id, title, chart, names);
}

function figure(id, title, chart, names) {
  const made = document.createElement('figure');
  made.id = id;
  const caption = document.createElement('figcaption');
  caption.append(title);
  const legend = document.createElement('ul');
  legend.className = 'legend';
  names.forEach((name, number) => {
    const entry = document.createElement('li');
    const colour = shape('svg', { viewBox: '0 0 10 10', 'aria-hidden': 'true' },
      shape('rect', { width: 10, height: 10, class: `series-${number}` }));
    entry.append(colour, name);
    legend.append(entry);
  });
  made.append(caption, chart, legend);
  return made;
}
