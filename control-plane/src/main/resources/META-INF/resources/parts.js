// Parts of all pages: tables with search, filters and sorting, buttons that ask before they act, and forms.

import { Fragment, html, useEffect, useRef, useState } from './html.js';
import { words } from './format.js';
import { refresh, setQuery, usePlace } from './state.js';

export const State = ({ name }) => html`<span class=${`state ${name.toLowerCase()}`}>${words(name)}</span>`;

export const MachineLink = ({ id }) => html`<a href=${`#/machines/${id}`} class="id">${id.slice(0, 8)}</a>`;

export const Facts = ({ facts }) => html`
  <dl>${facts.filter(Boolean).map(([name, value]) => html`<${Fragment} key=${name}><dt>${name}</dt><dd>${value}</dd><//>`)}</dl>`;

export const Log = ({ text }) => html`<pre id="log" tabindex="0" aria-label="Log">${text || 'It has printed nothing.'}</pre>`;

// ---- tables

const slug = (label) => label.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** The text of a cell, by which the table is searched. */
const textOf = (column, item) => {
  const value = column.value(item);
  return value === undefined || value === null ? '' : String(value);
};

function compare(column, one, other) {
  const key = column.sortBy ?? column.value;
  const [a, b] = [key(one), key(other)];
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a ?? '').localeCompare(String(b ?? ''), 'en', { numeric: true });
}

/**
 * The rows that the address of the page selects: q is searched in all columns, a column's name is a filter, and sort is a column's name,
 * with a minus for the reverse order.
 */
function select(items, columns, query) {
  let rows = items;
  const search = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (search.length > 0) {
    rows = rows.filter((item) => {
      const all = columns.filter((column) => column.value).map((column) => textOf(column, item)).join(' ').toLowerCase();
      return search.every((word) => all.includes(word));
    });
  }
  for (const column of columns.filter((one) => one.filter)) {
    const wanted = query.get(slug(column.label));
    if (wanted) rows = rows.filter((item) => textOf(column, item) === wanted);
  }
  const sort = query.get('sort') ?? '';
  const by = columns.find((column) => column.value && slug(column.label) === sort.replace(/^-/, ''));
  if (by) rows = [...rows].sort((one, other) => (sort.startsWith('-') ? -1 : 1) * compare(by, one, other));
  return rows;
}

function Heading({ column, sort }) {
  const name = slug(column.label);
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : null;
  const next = direction === 'ascending' ? `-${name}` : direction === 'descending' ? '' : name;
  return html`
    <th scope="col" class=${column.number ? 'number' : ''} aria-sort=${direction}>
      <button type="button" class="sort" onClick=${() => setQuery({ sort: next })}>${column.label}<span aria-hidden="true">${direction === 'ascending' ? ' ▲' : direction === 'descending' ? ' ▼' : ''}</span></button>
    </th>`;
}

function Tools({ columns, items, query, shown }) {
  const filters = columns.filter((column) => column.filter).map((column) => {
    const name = slug(column.label);
    const values = [...new Set(items.map((item) => textOf(column, item)))].sort();
    const wanted = query.get(name) ?? '';
    if (wanted && !values.includes(wanted)) values.push(wanted);
    // A filter with one value selects nothing.
    if (values.filter(Boolean).length < 2 && !wanted) return null;
    return html`
      <label key=${name}>${column.label}
        <select value=${wanted} onChange=${(event) => setQuery({ [name]: event.target.value })}>
          <option value="">all</option>
          ${values.filter(Boolean).map((value) => html`<option key=${value} value=${value}>${value}</option>`)}
        </select>
      </label>`;
  });
  return html`
    <div class="tools" role="search">
      <label>Search <input id="search" type="search" value=${query.get('q') ?? ''} onInput=${(event) => setQuery({ q: event.target.value })} /></label>
      ${filters}
      <label class="phone">Sort
        <select value=${query.get('sort') ?? ''} onChange=${(event) => setQuery({ sort: event.target.value })}>
          <option value="">as listed</option>
          ${columns.filter((column) => column.value).flatMap((column) => [
            html`<option key=${column.label} value=${slug(column.label)}>${column.label}</option>`,
            html`<option key=${`-${column.label}`} value=${`-${slug(column.label)}`}>${column.label}, reversed</option>`,
          ])}
        </select>
      </label>
      <span class="soft" role="status">${shown === items.length ? '' : `${shown} of ${items.length}`}</span>
    </div>`;
}

/**
 * A table; on a phone each row is a card.
 *
 * @param columns of {label, value: the text or number of an item, show: its element, number, filter: has a list of its values}
 * @param name returns the name of an item, which is unique
 * @param attributes returns further attributes of an item's row
 * @param isPlain true for a table without search and sorting
 */
export function Table({ id, columns, items, empty, name, attributes = () => ({}), isPlain = false }) {
  const { query } = usePlace();
  if (items.length === 0) return html`<p class="empty" id=${id}>${empty}</p>`;
  const rows = isPlain ? items : select(items, columns, query);
  const kind = (column) => (column.number ? 'number' : '');
  return html`
    ${isPlain ? null : html`<${Tools} columns=${columns} items=${items} query=${query} shown=${rows.length} />`}
    <div class="wide">
      <table id=${id}>
        <thead><tr>${columns.map((column) => (isPlain || !column.value
          ? html`<th key=${column.label} scope="col" class=${kind(column)}>${column.label}</th>`
          : html`<${Heading} key=${column.label} column=${column} sort=${query.get('sort') ?? ''} />`))}</tr></thead>
        <tbody>${rows.map((item, row) => html`
          <tr key=${name ? name(item) : row} ...${attributes(item)}>
            ${columns.map((column) => html`<td key=${column.label} class=${kind(column)} data-label=${column.label}>${
              column.show ? column.show(item) : textOf(column, item)}</td>`)}
          </tr>`)}
        </tbody>
      </table>
    </div>
    ${rows.length === 0 ? html`<p class="empty">No row matches. <button type="button" onClick=${() => { location.hash = `#${location.hash.slice(1).split('?')[0]}`; }}>Show all rows</button></p>` : null}`;
}

// ---- questions

let askUser = () => {};

/** Asks the user, and then makes a request. */
export const confirm = (question) => askUser(question);

/**
 * A button that asks before it acts.
 *
 * @param question a sentence about the effect
 * @param act makes the request
 */
export const Action = ({ label, question, act, isDanger = false }) => html`
  <button type="button" class=${isDanger ? 'danger' : ''} data-action=${label.toLowerCase().replaceAll(' ', '-')}
    onClick=${() => confirm({ label, question, act })}>${label}</button>`;

export function Confirm() {
  const dialog = useRef();
  const [asked, setAsked] = useState(null);
  const [refusal, setRefusal] = useState('');
  const [isBusy, setBusy] = useState(false);
  askUser = (question) => {
    setAsked(question);
    setRefusal('');
    dialog.current.showModal();
  };
  const act = async () => {
    setBusy(true);
    try {
      await asked.act();
      dialog.current.close();
      if (asked.then) asked.then();
      refresh();
    } catch (refused) {
      setRefusal(refused.message);
    } finally {
      setBusy(false);
    }
  };
  return html`
    <dialog id="confirm" aria-labelledby="question" ref=${dialog}>
      <form method="dialog">
        <p id="question">${asked?.question}</p>
        <p id="refusal" role="alert">${refusal}</p>
        <div class="actions">
          <button type="submit" autofocus>Cancel</button>
          <button type="button" id="yes" class="danger" disabled=${isBusy} onClick=${act}>${asked?.label}</button>
        </div>
      </form>
    </dialog>`;
}

// ---- forms

/** Whether each text can be a line of a form: it has no line break, and a form removes outer spaces. */
export const areLines = (texts) => texts.every((text) => text !== '' && text === text.trim() && !text.includes('\n'));

const READERS = {
  text: (field, form) => form.get(field.name).trim() || undefined,
  number: (field, form) => (form.get(field.name) === '' ? undefined : Number(form.get(field.name))),
  checkbox: (field, form) => form.has(field.name),
  checks: (field, form) => form.getAll(field.name),
  list: (field, form) => form.get(field.name).split(/[\n,]/).map((one) => one.trim()).filter(Boolean),
  lines: (field, form) => form.get(field.name).split('\n').map((one) => one.trim()).filter(Boolean),
  pairs: (field, form) => Object.fromEntries(READERS.lines(field, form).map((line) => {
    const at = line.indexOf('=');
    if (at < 1) throw new Error(`${field.label}: expected lines such as NAME=value, got ${line}`);
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  })),
  time: (field, form) => (form.get(field.name) ? new Date(`${form.get(field.name)}Z`).toISOString() : undefined),
  file: (field, form) => (form.get(field.name)?.size ? form.get(field.name) : undefined),
};
READERS.select = READERS.text;
READERS.password = (field, form) => form.get(field.name);

function Input({ field, value, isFixed, isRequired, choices }) {
  const id = `field-${field.name}`;
  const common = {
    id, name: field.name, required: isRequired, readonly: isFixed, 'aria-describedby': field.hint ? `${id}-hint` : undefined,
    spellcheck: false, placeholder: field.placeholder,
  };
  switch (field.type ?? 'text') {
    case 'select':
      return html`<select ...${common} disabled=${isFixed}>${isRequired ? null : html`<option value="">${field.none ?? ''}</option>`}
        ${choices.map((choice) => html`<option key=${choice} value=${choice} selected=${choice === value}>${words(choice)}</option>`)}</select>`;
    case 'checkbox':
      return html`<input ...${common} type="checkbox" required=${false} defaultChecked=${value ?? false} />`;
    case 'checks':
      return html`<span class="checks">${choices.map((choice) => html`<label key=${choice}><input type="checkbox" name=${field.name} value=${choice}
        defaultChecked=${(value ?? []).includes(choice)} /> ${words(choice)}</label>`)}</span>`;
    case 'list':
    case 'lines':
    case 'pairs':
      return html`<textarea ...${common} rows="3" defaultValue=${(value ?? []).join('\n')}></textarea>`;
    case 'number':
      return html`<input ...${common} type="number" min=${field.min} max=${field.max} step=${field.step ?? 1} defaultValue=${value ?? ''} />`;
    case 'time':
      return html`<input ...${common} type="datetime-local" step="1" defaultValue=${value ? value.slice(0, 19) : ''} />`;
    case 'file':
      return html`<input ...${common} type="file" accept=${field.accept} />`;
    case 'password':
      return html`<textarea ...${common} rows="2" autocomplete="off"></textarea>`;
    default:
      return html`<input ...${common} type="text" list=${choices.length > 0 ? `${id}-choices` : undefined} pattern=${field.pattern}
        title=${field.pattern ? field.hint : undefined} maxlength=${field.max} defaultValue=${value ?? ''} autocomplete="off" />
        ${choices.length > 0 ? html`<datalist id=${`${id}-choices`}>${choices.map((choice) => html`<option key=${choice} value=${choice} />`)}</datalist>` : null}`;
  }
}

function Field({ field, item, isEdit }) {
  const [choices, setChoices] = useState(Array.isArray(field.choices) ? field.choices : []);
  useEffect(() => {
    if (typeof field.choices === 'function') field.choices().then(setChoices).catch(() => {});
  }, []);
  const id = `field-${field.name}`;
  const value = item && field.of ? field.of(item) : item?.[field.name] ?? field.initial;
  const isRequired = field.required && !(isEdit && field.keeps);
  const input = html`<${Input} field=${field} value=${value} isFixed=${isEdit && field.fixed} isRequired=${isRequired} choices=${choices} />`;
  const text = (isEdit && field.keeps) || field.hint;
  const hint = text ? html`<small id=${`${id}-hint`} class="soft">${text}</small>` : null;
  if (field.type === 'checks') {
    return html`<fieldset><legend>${field.label}</legend>${input}${hint}</fieldset>`;
  }
  return html`<div class=${`field ${field.type === 'checkbox' ? 'check' : ''}`}>
    <label for=${id}>${field.label}${isRequired ? html`<span class="soft"> (required)</span>` : null}</label>${input}${hint}</div>`;
}

/**
 * A form in a dialog.
 *
 * @param item the item to change; null for a new one
 * @param label the text of the button; Save or Create if it is left out
 * @param save makes the request from the values; returns {title, once} if the user has to copy a text that is shown once
 */
export function Form({ title, label, fields, item, save, onClose, note }) {
  const dialog = useRef();
  const [refusal, setRefusal] = useState('');
  const [progress, setProgress] = useState(null);
  const [shown, setShown] = useState(null);
  useEffect(() => {
    dialog.current.showModal();
  }, []);
  // A field whose present value has no form keeps it.
  const kept = fields.filter((field) => item && field.isKept?.(item));
  const visible = fields.filter((field) => !kept.includes(field));
  const submit = async (event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setRefusal('');
    setProgress(0);
    try {
      const values = {};
      for (const field of visible) {
        // A disabled list sends no value.
        values[field.name] = item && field.fixed && field.type === 'select' ? item[field.name] : READERS[field.type ?? 'text'](field, form);
      }
      const answer = await save(values, item, setProgress);
      refresh();
      if (answer?.once) setShown(answer);
      else dialog.current.close();
    } catch (refused) {
      // A new item is sent with version 0, so the backend refuses to change one of the same name.
      setRefusal(!item && refused.status === 412 ? 'There is one of this name already. Change it in the list, or take another name.' : refused.message);
    } finally {
      setProgress(null);
    }
  };
  return html`
    <dialog id="form" aria-labelledby="form-title" ref=${dialog} onClose=${onClose}>
      <h2 id="form-title">${shown ? shown.title : title}</h2>
      ${shown ? html`
        <p>Copy it now: it is not shown again.</p>
        <pre id="shown" tabindex="0" aria-label=${shown.title}>${shown.once}</pre>
        <div class="actions">
          <button type="button" onClick=${() => navigator.clipboard?.writeText(shown.once)}>Copy</button>
          <button type="button" class="primary" onClick=${() => dialog.current.close()}>Done</button>
        </div>` : html`
        <form onSubmit=${submit}>
          ${note ? html`<p class="soft">${note}</p>` : null}
          ${kept.map((field) => html`<p key=${field.name} class="soft">${field.label}: the present value stays, because a form cannot show it.</p>`)}
          ${visible.map((field) => html`<${Field} key=${field.name} field=${field} item=${item} isEdit=${Boolean(item)} />`)}
          <p id="form-refusal" role="alert" class="refusal">${refusal}</p>
          <div class="actions">
            <button type="submit" class="primary" disabled=${progress !== null}>${label ?? (item ? 'Save' : 'Create')}</button>
            <button type="button" onClick=${() => dialog.current.close()}>Cancel</button>
            ${progress ? html`<progress max="1" value=${progress} aria-label="Upload"></progress>` : null}
          </div>
        </form>`}
    </dialog>`;
}
