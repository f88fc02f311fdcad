// The dashboard: the login, the menu, and the page of the address.

import { currentSession, forgetSession, loadSession, may, readList } from './api.js';
import { clock } from './format.js';
import { html, render, useEffect, useRef, useState } from './html.js';
import * as kinds from './kinds.js';
import { Login, completeLogin, logOut } from './login.js';
import * as pages from './pages.js';
import { Confirm, Form, Table } from './parts.js';
import { setQuery, useData, useEvents, usePlace } from './state.js';

// ---- the page of a kind

function withArticle(noun) {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** The form of the address: ?new makes an item, and ?edit=NAME changes one. */
function KindForm({ kind, items, query }) {
  const [item, setItem] = useState(undefined);
  const [trouble, setTrouble] = useState('');
  const close = () => setQuery({ new: null, edit: null });
  useEffect(() => {
    const found = query.has('new') ? null : items.find((one) => kind.name(one) === query.get('edit'));
    if (found === undefined) {
      setTrouble(`There is no ${kind.one} ${query.get('edit')}.`);
    } else if (found && kind.details) {
      kind.details(found).then(setItem).catch((failure) => setTrouble(failure.message));
    } else {
      setItem(found);
    }
  }, []);
  if (trouble) return html`<p role="alert" class="trouble">${trouble}</p>`;
  if (item === undefined) return null;
  const title = item ? `Change ${kind.one} ${item.name ?? item.subject ?? ''}` : `Create ${withArticle(kind.one)}`;
  return html`<${Form} title=${title} fields=${kind.fields} item=${item} save=${kind.create} onClose=${close} />`;
}

function KindView({ kind, data }) {
  const { query } = usePlace();
  const [offer, setOffer] = useState(null);
  const canChange = kind.scope && may(kind.scope);
  const change = (item) => (kind.isEditable && (kind.isChangeable?.(item) ?? true)
    ? html`<button type="button" data-action="change" onClick=${() => setQuery({ edit: kind.name(item) }, true)}>Change</button>` : null);
  const offering = (one) => (one ? html`<button type="button" data-action=${one.action} onClick=${() => setOffer(one)}>${one.label}</button>` : null);
  const actions = {
    label: 'Actions',
    show: (item) => html`<span class="actions">${change(item)}
      ${offering(kind.offer?.(item))}
      <${kinds.Buttons} actions=${kinds.actionsOf(kind, item)} /></span>`,
  };
  const hasActions = canChange && (kind.isEditable || kind.remove || kind.actions);
  const isOpen = canChange && kind.fields && (query.has('edit') || (query.has('new') && !kind.isMadeElsewhere));
  return html`
    <div class="head">
      <h2>${kind.title}</h2>
      ${canChange && kind.fields && !kind.isMadeElsewhere ? html`<button type="button" id="create" class="primary" onClick=${() => setQuery({ new: 'yes' }, true)}>Create ${withArticle(kind.one)}</button>` : null}
    </div>
    <${Table} id=${kind.slug} columns=${hasActions ? [...kind.columns, actions] : kind.columns} items=${data.items} name=${kind.name} empty=${kind.empty}
      attributes=${(item) => ({ ...(kind.row ? { [kind.row]: kind.rowName?.(item) ?? kind.name(item) } : {}), ...kind.attributes?.(item) })} />
    ${data.more ? html`<p class="soft">Only the first ${data.items.length} are shown.</p>` : null}
    ${isOpen ? html`<${KindForm} key=${`${query.get('new')}/${query.get('edit')}`} kind=${kind} items=${data.items} query=${query} />` : null}
    ${offer ? html`<${Form} key=${offer.title} title=${offer.title} label=${offer.label} fields=${offer.fields} item=${null} onClose=${() => setOffer(null)}
      note=${offer.note} save=${offer.save} />` : null}`;
}

/** The page of a kind that is made from the name in the address. */
const pageOfName = (title, kindOf) => ({
  title,
  load: (place, name) => readList(kindOf(name).path),
  View: ({ data, name }) => html`<${KindView} kind=${kindOf(name)} data=${data} />`,
});

const kindPage = (kind) => ({
  title: kind.title,
  load: () => (kind.list ? kind.list() : readList(kind.path)),
  View: ({ data }) => html`<${KindView} kind=${kind} data=${data} />`,
});

// ---- the menu and the addresses

const MENU = [
  ['Work', [
    ['/', 'Machines', pages.machines], ['/jobs', kinds.jobsKind], ['/schedules', kinds.schedulesKind], ['/deployments', kinds.deploymentsKind],
    ['/programs', kinds.programsKind], ['/pools', kinds.poolsKind],
  ]],
  ['Cost', [
    ['/usage', 'Usage', pages.usage], ['/budgets', kinds.budgetsKind], ['/quotas', kinds.quotasKind], ['/prices', kinds.pricesKind],
    ['/token-prices', kinds.tokenPricesKind],
  ]],
  ['Access', [
    ['/projects', kinds.projectsKind], ['/members', kinds.membersKind], ['/keys', kinds.keysKind], ['/secrets', kinds.secretsKind],
    ['/webhooks', kinds.webhooksKind], ['/audit', kinds.auditKind],
  ]],
  ['Backend', [['/organisations', kinds.organisations], ['/clusters', kinds.clustersKind], ['/failures', kinds.failuresKind]]],
].map(([group, entries]) => [group, entries.map(([path, ...rest]) => (rest.length === 2
  ? { path, name: rest[0], page: rest[1] }
  : { path, name: rest[0].nav ?? rest[0].title, reads: rest[0].reads, page: kindPage(rest[0]) }))]);

const PAGES = new Map(MENU.flatMap(([, entries]) => entries.map((entry) => [entry.path, entry.page])));

const DETAILS = [
  [/^\/machines\/([0-9a-f-]{36})$/, pages.machine, '/'],
  [/^\/machines\/([0-9a-f-]{36})\/instructions$/, pages.instructions, '/'],
  [/^\/jobs\/([0-9a-f-]{36})$/, pages.job, '/jobs'],
  [/^\/deployments\/([a-z0-9-]{1,40})$/, pages.deployment, '/deployments'],
  [/^\/webhooks\/([0-9a-f-]{36})$/, pages.webhook, '/webhooks'],
  [/^\/organisations\/([a-z0-9-]{1,40})\/quotas$/, pageOfName('Quotas', kinds.quotasOf), '/organisations'],
  [/^\/organisations\/([a-z0-9-]{1,40})\/budgets$/, pageOfName('Budgets', kinds.budgetsOf), '/organisations'],
];

const unknown = {
  title: 'Unknown page',
  load: async () => ({}),
  View: () => html`<h2>There is no such page</h2><p><a href="#/">To the machines</a></p>`,
};

/** The page of an address, the name in it, and its entry of the menu. */
function pageOf(path) {
  for (const [pattern, page, entry] of DETAILS) {
    const found = path.match(pattern);
    if (found) return { page, name: found[1], entry };
  }
  if (path === '/machines') return { page: pages.machines, entry: '/' };
  return { page: PAGES.get(path) ?? unknown, entry: path };
}

function Menu({ entry, onLeave }) {
  const [isOpen, setOpen] = useState(false);
  const session = currentSession();
  const groups = MENU.map(([group, entries]) => [group, entries.filter((one) => !one.reads || may(one.reads))]).filter(([, entries]) => entries.length > 0);
  useEffect(() => setOpen(false), [entry]);
  return html`
    <button type="button" id="menu" aria-expanded=${isOpen} aria-controls="pages" onClick=${() => setOpen(!isOpen)}>Menu</button>
    <nav id="pages" aria-label="Pages" class=${isOpen ? 'open' : ''} onKeyDown=${(event) => { if (event.key === 'Escape') setOpen(false); }}>
      ${groups.map(([group, entries]) => html`
        <div key=${group}><strong id=${`menu-${group}`}>${group}</strong>
          <ul aria-labelledby=${`menu-${group}`}>${entries.map((one) => html`
            <li key=${one.path}><a href=${`#${one.path}`} aria-current=${one.path === entry ? 'page' : null} onClick=${() => setOpen(false)}>${one.name}</a></li>`)}
          </ul></div>`)}
      <div class="who">
        <span class="soft">${session.organisation}${session.project ? ` / ${session.project}` : ''}</span>
        <button type="button" id="leave" onClick=${onLeave}>Log out</button>
      </div>
    </nav>`;
}

// ---- what is shown

/** The focus moves to the search by /, to the form of a new item by n, and to the help by ?. */
function useKeys(showHelp) {
  useEffect(() => {
    const pressed = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, select, textarea, dialog[open]')) return;
      const act = { '/': () => document.getElementById('search')?.focus(), n: () => document.getElementById('create')?.click(), '?': showHelp }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

function Help() {
  const dialog = useRef();
  useKeys(() => dialog.current.showModal());
  return html`
    <dialog id="help" aria-labelledby="help-title" ref=${dialog}>
      <h2 id="help-title">Keys</h2>
      <dl><dt><kbd>/</kbd></dt><dd>search the table</dd><dt><kbd>n</kbd></dt><dd>create an item</dd><dt><kbd>?</kbd></dt><dd>show this help</dd><dt><kbd>Esc</kbd></dt><dd>close a dialog or the menu</dd></dl>
      <form method="dialog"><button type="submit">Close</button></form>
    </dialog>`;
}

function troubleText({ failure, readAt }) {
  const text = failure.status === undefined && failure instanceof TypeError ? 'The backend does not answer; it is asked again' : failure.message;
  return readAt ? `${text}. Below is what was read at ${clock(readAt)} (UTC).` : `${text}.`;
}

function Page({ place, page, name, onEnd }) {
  const key = `${place.path}?${page.key?.(place) ?? ''}`;
  const state = useData(() => page.load(place, name), key);
  const { data, failure } = state;
  const isLoading = !data && !failure;
  useEffect(() => {
    if (failure?.status === 401) onEnd();
  }, [failure]);
  useEffect(() => {
    document.title = `${page.title} - Outpost`;
  }, [page]);
  return html`
    <p id="trouble" role="alert" class="trouble" hidden=${!failure}>${failure ? troubleText(state) : ''}</p>
    <section id="page" tabindex="-1" aria-busy=${isLoading ? 'true' : null}>
      ${isLoading ? html`<p class="loading" role="status">Loading ${page.title.toLowerCase()}</p>` : null}
      ${!data && failure ? html`<h2>This page cannot be shown</h2>` : null}
      ${data ? html`<${page.View} key=${place.path} data=${data} name=${name} />` : null}
    </section>`;
}

function Shell({ onEnd, onLeave }) {
  const place = usePlace();
  useEvents();
  const { page, name, entry } = pageOf(place.path);
  return html`
    <header><h1><a href="#/">Outpost</a></h1><${Menu} entry=${entry} onLeave=${onLeave} /></header>
    <main><${Page} key=${place.path} place=${place} page=${page} name=${name} onEnd=${onEnd} /></main>
    <${Help} />`;
}

function App() {
  const [session, setSession] = useState(undefined);
  const [trouble, setTrouble] = useState('');
  const enter = () => {
    setTrouble('');
    setSession(currentSession());
  };
  useEffect(() => {
    completeLogin().then(() => currentSession() ?? loadSession()).then(enter).catch((failure) => {
      setTrouble(failure.message);
      setSession(null);
    });
  }, []);
  const leave = (why) => {
    forgetSession();
    setTrouble(why);
    setSession(null);
  };
  const end = () => logOut().then(() => leave(''), (refused) => leave(`The session was not ended on the backend: ${refused.message}`));
  useEffect(() => {
    if (session === null) document.title = 'Log in - Outpost';
  }, [session]);
  const skip = (event) => {
    event.preventDefault();
    document.getElementById('page')?.focus();
  };
  return html`
    <a class="skip" href="#page" onClick=${skip}>To the content</a>
    ${session
      ? html`<${Shell} onEnd=${() => leave('The session has ended. Log in again.')} onLeave=${end} />`
      : html`<header><h1><a href="#/">Outpost</a></h1></header>
        <main>
          <p id="trouble" role="alert" class="trouble" hidden=${!trouble}>${trouble}</p>
          <section id="page" tabindex="-1">${session === null ? html`<${Login} onLogin=${enter} onTrouble=${setTrouble} />` : html`<p class="loading" role="status">Loading</p>`}</section>
        </main>`}
    <${Confirm} />`;
}

render(html`<${App} />`, document.getElementById('app'));
