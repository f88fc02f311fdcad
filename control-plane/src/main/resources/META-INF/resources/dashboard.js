// The dashboard: it reads the API with the key of whoever looks, and shows what it says. Texts are set as texts, never as
// markup. The key is in this tab's session storage and in no cookie, so no other site can make a request with it.

const KEY = 'outpost-key';
const REFRESH_MILLIS = 1000;
const LOG_LINES = 500;

let stream = null;
let ticking = null;
let shown = 0;

const $ = (id) => document.getElementById(id);

// ---- the API

class Refusal extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

async function ask(path, accept = 'application/json', signal = undefined) {
  const response = await fetch(path, {
    headers: { Authorization: `Bearer ${sessionStorage.getItem(KEY)}`, Accept: accept },
    signal,
  });
  if (response.ok) {
    return response;
  }
  const problem = await response.json().catch(() => ({}));
  throw new Refusal(response.status, problem.detail ?? `the backend answered with status ${response.status}`);
}

const read = async (path) => (await ask(path)).json();

// ---- elements

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, value);
  }
  made.append(...children.map((child) => (child instanceof Node ? child : document.createTextNode(child ?? ''))));
  return made;
}

function table(id, headings, rows, empty) {
  if (rows.length === 0) {
    return element('p', { class: 'empty', id }, empty);
  }
  const head = element('tr', {}, ...headings.map(([text, kind]) => element('th', { scope: 'col', class: kind ?? '' }, text)));
  const body = rows.map((row) =>
    element('tr', row.attributes ?? {}, ...row.cells.map((cell, i) => element('td', { class: headings[i][1] ?? '' }, cell))));
  return element('div', { class: 'wide' }, element('table', { id }, element('thead', {}, head), element('tbody', {}, ...body)));
}

const state = (name) => element('span', { class: `state ${name.toLowerCase()}` }, name.toLowerCase());
const link = (machine) => element('a', { href: `#/machines/${machine}`, class: 'id' }, machine.slice(0, 8));

// ---- numbers

/** Exact: nano-units are integers, which a division would round. */
function money(nanos) {
  const digits = BigInt(nanos).toString().padStart(10, '0');
  const fraction = digits.slice(-9).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -9)}.${fraction}`;
}

function age(since, until = Date.now()) {
  const seconds = Math.max(0, Math.floor((until - Date.parse(since)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}

/** Powers of 1024, as memory is counted. */
function bytes(count) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let value = count;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

const clock = (time) => new Date(time).toISOString().replace('T', ' ').slice(0, 19);

// ---- pages

async function machines() {
  const page = await read('/v1/machines?limit=200');
  const rows = page.items.map((machine) => ({
    attributes: { 'data-machine': machine.id, 'data-state': machine.state },
    cells: [
      link(machine.id),
      state(machine.state),
      machine.gpu,
      machine.owner,
      machine.project,
      age(machine.created),
      money(machine.costNanos),
      machine.text,
    ],
  }));
  const headings = [
    ['Machine'], ['State'], ['GPU'], ['Owner'], ['Project'], ['Age', 'number'], ['Cost', 'number'], ['What it does or waits for'],
  ];
  return [
    element('h2', {}, 'Machines'),
    table('machines', headings, rows, 'There are no machines. RemoteMachine.of("outpost", "any") starts one.'),
    ...(page.next ? [element('p', { class: 'soft' }, 'Only the newest 200 are shown.')] : []),
  ];
}

async function machine(id) {
  const [row, events, usage, grants] = await Promise.all([
    read(`/v1/machines/${id}`), read(`/v1/machines/${id}/events?limit=500`), read(`/v1/usage/${id}`), read(`/v1/machines/${id}/grants`),
  ]);
  const log = await ask(`/v1/machines/${id}/logs`, 'text/plain').then((answer) => answer.text()).catch((none) => none.message);
  const facts = [
    ['State', state(row.state)],
    ['What it does or waits for', row.text],
    ['GPU', row.gpu],
    ['Owner', row.owner],
    ['Project', row.project],
    ['Cluster', row.cluster ?? '-'],
    [row.endpoint?.serverName ? 'Reached by the relay' : 'Serves at', row.endpoint ? `${row.endpoint.host}:${row.endpoint.port}` : '-'],
    ['Asked for (UTC)', clock(row.created)],
    ['Ends by itself (UTC)', row.endsAt ? clock(row.endsAt) : '-'],
    ['Cost', money(usage.totalNanos)],
  ];
  return [
    element('h2', {}, 'Machine ', element('span', { class: 'id' }, row.id)),
    element('dl', {}, ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)])),
    element('h2', {}, 'Grants'),
    grantTable(grants.items),
    element('h2', {}, 'Events'),
    table(
      'events',
      [['When (UTC)'], ['Event'], ['State'], ['What happened']],
      events.items.map((event) => ({ cells: [clock(event.at), event.type.toLowerCase(), state(event.state), event.text] })),
      'Nothing has happened yet.'),
    element('h2', {}, 'Log'),
    element('pre', { id: 'log', tabindex: '0' }, log.split('\n').slice(-LOG_LINES).join('\n') || 'It has printed nothing.'),
  ];
}

function grantTable(grants) {
  const rows = grants.map((grant) => ({
    attributes: { 'data-grant': grant.tokenSha256 },
    cells: [
      element('span', { class: 'id', title: grant.tokenSha256 }, grant.tokenSha256.slice(0, 8)),
      grant.owner,
      grantState(grant),
      grant.expires ? clock(grant.expires) : 'never',
      grant.memoryBytes === undefined ? 'all' : bytes(grant.memoryBytes),
      String(grant.weight),
      `${grant.use ? grant.use.sessions : '-'} of ${grant.sessions ?? 'any number'}`,
      grant.use ? bytes(grant.use.liveBytes) : '-',
      grant.use ? `${(grant.use.engineNanos / 1e9).toFixed(1)} s` : '-',
      grant.use?.lastSeen ? `${age(grant.use.lastSeen)} ago` : '-',
    ],
  }));
  return table(
    'grants',
    [
      ['Token (SHA-256)'], ['Owner'], ['State'], ['Until (UTC)'], ['Memory', 'number'], ['Weight', 'number'], ['Sessions', 'number'],
      ['Bytes in use', 'number'], ['Engine time', 'number'], ['Client heard'],
    ],
    rows,
    'Nobody has a grant of this machine.');
}

function grantState(grant) {
  if (grant.revoked) return 'taken back';
  if (grant.expires && Date.parse(grant.expires) < Date.now()) return 'over';
  return grant.told ? 'holds' : 'the machine is being told';
}

/** A worker host speaks by itself; other clusters are looked at. */
function heardOrSeen(cluster) {
  const at = cluster.provider === 'worker' ? cluster.worker?.heard : cluster.observed;
  return at ? `${age(at)} ago` : 'never';
}

async function clusters() {
  const page = await read('/v1/clusters?limit=200');
  const rows = page.items.map((cluster) => ({
    attributes: { 'data-cluster': cluster.name },
    cells: [
      cluster.name,
      cluster.provider,
      state(cluster.away ? 'away' : cluster.state),
      cluster.gpus.length === 0 ? 'every kind' : cluster.gpus.join(', '),
      `${cluster.used} of ${cluster.machines ?? 'any number'}`,
      cluster.worker ? `${cluster.worker.host}, outpost ${cluster.worker.program}` : '-',
      heardOrSeen(cluster),
      cluster.relay ?? '-',
      cluster.trouble ?? '',
    ],
  }));
  return [
    element('h2', {}, 'Clusters and worker hosts'),
    table(
      'clusters',
      [['Cluster'], ['Provider'], ['State'], ['GPUs'], ['Machines', 'number'], ['Worker host'], ['Heard or seen'], ['Relay'], ['Trouble']],
      rows,
      'There are no clusters: no machine can be anywhere.'),
    ...(page.next ? [element('p', { class: 'soft' }, 'Only the first 200 are shown.')] : []),
  ];
}

async function usage() {
  const answer = await read('/v1/usage');
  const sums = new Map();
  for (const item of answer.items) {
    const key = `${item.day} ${item.project}`;
    const sum = sums.get(key) ?? { day: item.day, project: item.project, machines: new Set(), seconds: 0, nanos: 0n };
    sum.machines.add(item.machine);
    sum.seconds += item.gpuSeconds;
    sum.nanos += BigInt(item.nanos);
    sums.set(key, sum);
  }
  const rows = [...sums.values()].map((sum) => ({
    cells: [sum.day, sum.project, String(sum.machines.size), String(sum.seconds), money(sum.nanos)],
  }));
  return [
    element('h2', {}, 'Usage by project and day'),
    element('p', { class: 'soft' }, `${clock(answer.from)} to ${clock(answer.to)} (UTC), in all ${money(answer.totalNanos)}`),
    table(
      'usage',
      [['Day'], ['Project'], ['Machines', 'number'], ['GPU seconds', 'number'], ['Cost', 'number']],
      rows,
      'Nothing was used this month.'),
  ];
}

async function quotas() {
  const answer = await read('/v1/quotas?limit=500');
  const rows = answer.items.map((quota) => ({
    cells: [
      quota.name,
      quota.project ?? 'all of the organisation',
      String(quota.used),
      String(quota.allowed),
      String(quota.left),
      element('meter', { min: '0', max: String(Math.max(1, quota.allowed)), value: String(quota.used) }, `${quota.used} of ${quota.allowed}`),
    ],
  }));
  return [
    element('h2', {}, 'Quotas'),
    table(
      'quotas',
      [['Quota'], ['Project'], ['Used', 'number'], ['Allowed', 'number'], ['Left', 'number'], ['']],
      rows,
      'No quotas are set: nothing is limited.'),
    ...(answer.next ? [element('p', { class: 'soft' }, 'Only the first 500 are shown.')] : []),
  ];
}

async function deployments() {
  const answer = await read('/v1/deployments?limit=200');
  const rows = answer.items.map((deployment) => ({
    attributes: { 'data-deployment': deployment.name },
    cells: [
      element('a', { href: `#/deployments/${deployment.name}` }, deployment.name),
      deployment.project,
      String(deployment.revision),
      `${deployment.wanted} of ${deployment.min} to ${deployment.max}`,
      deployment.text,
    ],
  }));
  return [
    element('h2', {}, 'Deployments'),
    table(
      'deployments',
      [['Deployment'], ['Project'], ['Revision', 'number'], ['Replicas', 'number'], ['What it does']],
      rows,
      'There are no deployments. ./outpost deploy --model URI makes one.'),
    ...(answer.next ? [element('p', { class: 'soft' }, 'Only the first 200 are shown.')] : []),
  ];
}

async function deployment(name) {
  const one = await read(`/v1/deployments/${name}`);
  const revisions = one.revisions.map((revision) => ({
    cells: [
      `${revision.number}${revision.number === one.revision ? ', rolled out' : ''}`, revision.model, revision.gpu, clock(revision.created),
      revision.failure ?? '',
    ],
  }));
  const sum = (replica) => replica.gateways.reduce((all, gateway) => all + gateway.requests, 0);
  const fullest = (replica) => Math.max(0, ...replica.gateways.map((gateway) => gateway.cacheUse));
  const replicas = one.replicas.map((replica) => ({
    attributes: { 'data-replica': replica.machine },
    cells: [
      link(replica.machine), String(replica.revision), state(replica.drainingSince ? 'draining' : replica.phase), String(sum(replica)),
      `${Math.round(100 * fullest(replica))} %`, replica.text,
    ],
  }));
  return [
    element('h2', {}, `Deployment ${one.name}`),
    element('p', {}, one.text),
    element('h2', {}, 'Replicas'),
    table(
      'replicas',
      [['Machine'], ['Revision', 'number'], ['State'], ['Requests', 'number'], ['Cache', 'number'], ['What it does or waits for']],
      replicas,
      'It has no replica until it is asked.'),
    element('h2', {}, 'Revisions'),
    table('revisions', [['Revision'], ['Model'], ['GPU'], ['Created (UTC)'], ['Why it failed']], revisions, ''),
  ];
}

async function pools() {
  const answer = await read('/v1/pools?limit=200');
  const rows = answer.items.map((pool) => ({
    attributes: { 'data-pool': pool.name },
    cells: [
      pool.name,
      pool.gpu,
      `${pool.members.filter((member) => member.phase === 'READY').length} of ${pool.min} to ${pool.max}`,
      pool.text,
    ],
  }));
  return [
    element('h2', {}, 'Warm pools'),
    table('pools', [['Pool'], ['GPU'], ['Machines that wait', 'number'], ['What it does']], rows, 'There are no pools: each machine starts anew.'),
    ...(answer.next ? [element('p', { class: 'soft' }, 'Only the first 200 are shown.')] : []),
  ];
}

async function budgets() {
  const answer = await read('/v1/budgets?limit=500');
  const rows = answer.items.map((budget) => ({
    attributes: { 'data-budget': budget.name },
    cells: [
      budget.name,
      money(budget.spentNanos),
      String(budget.cap),
      element('meter', { min: '0', max: String(Math.max(1, budget.cap * 1e9)), value: String(budget.spentNanos) }, money(budget.spentNanos)),
      budget.text,
      budget.thresholds.map((threshold) => `${threshold.action.toLowerCase()} at ${threshold.percent} %`).join(', '),
    ],
  }));
  return [
    element('h2', {}, 'Budgets'),
    table(
      'budgets',
      [['Budget'], ['Spent', 'number'], ['Cap', 'number'], [''], ['What is left'], ['What happens']],
      rows,
      'No budgets are set: nothing bounds what is spent.'),
    ...(answer.next ? [element('p', { class: 'soft' }, 'Only the first 500 are shown.')] : []),
  ];
}

function page() {
  const hash = location.hash || '#/';
  const one = hash.match(/^#\/machines\/([0-9a-f-]{36})$/);
  if (one) return () => machine(one[1]);
  const name = hash.match(/^#\/deployments\/([a-z0-9-]{1,40})$/);
  if (name) return () => deployment(name[1]);
  if (hash === '#/deployments') return deployments;
  if (hash === '#/pools') return pools;
  if (hash === '#/budgets') return budgets;
  if (hash === '#/usage') return usage;
  if (hash === '#/quotas') return quotas;
  if (hash === '#/clusters') return clusters;
  return machines;
}

// ---- what is shown

function say(trouble) {
  $('trouble').textContent = trouble;
  $('trouble').hidden = trouble === '';
}

/** Only what has changed, so that a log stays where it was scrolled to, and a link that has the focus keeps it. */
function replaceChanged(page, parts) {
  const focused = page.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  if (page.children.length !== parts.length) {
    page.replaceChildren(...parts);
  } else {
    [...page.children].forEach((old, i) => {
      if (!old.isEqualNode(parts[i])) old.replaceWith(parts[i]);
    });
  }
  if (focused && !page.contains(document.activeElement)) {
    [...page.querySelectorAll('a')].find((anchor) => anchor.getAttribute('href') === focused)?.focus();
  }
}

async function show() {
  const turn = ++shown;
  try {
    const parts = await page()();
    // A page that took long must not replace one that was asked for after it.
    if (turn === shown) {
      replaceChanged($('page'), parts);
      say('');
    }
  } catch (failure) {
    if (turn !== shown) return;
    if (failure.status === 401) {
      leave('The key is unknown, has expired or was revoked.');
    } else {
      say(failure instanceof Refusal ? failure.message : 'The backend does not answer; it is asked again.');
    }
  }
  for (const anchor of document.querySelectorAll('nav a')) {
    const hash = location.hash || '#/';
    const here = hash.startsWith('#/machines/') ? '#/' : hash.startsWith('#/deployments/') ? '#/deployments' : hash;
    const isHere = anchor.getAttribute('href') === here;
    if (isHere) anchor.setAttribute('aria-current', 'page');
    else anchor.removeAttribute('aria-current');
  }
}

/** Events say that something has changed; what it is the page reads. */
async function listen() {
  while (sessionStorage.getItem(KEY)) {
    stream = new AbortController();
    try {
      const answer = await ask('/v1/events', 'text/event-stream', stream.signal);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        if (part.value.includes('event:machine') || part.value.includes('event: machine')) await show();
      }
    } catch (broken) {
      if (stream.signal.aborted) return;
    }
    await new Promise((resume) => setTimeout(resume, REFRESH_MILLIS));
  }
}

function enter() {
  $('login').hidden = true;
  document.querySelector('nav').hidden = false;
  show();
  listen();
  // Ages and costs go on although nothing happens.
  ticking = setInterval(() => { if (!document.hidden) show(); }, 5 * REFRESH_MILLIS);
}

function leave(why) {
  sessionStorage.removeItem(KEY);
  clearInterval(ticking);
  stream?.abort();
  shown++;
  $('page').replaceChildren();
  document.querySelector('nav').hidden = true;
  $('login').hidden = false;
  say(why);
}

$('login').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(KEY, $('key').value.trim());
  $('key').value = '';
  say('');
  enter();
});
$('leave').addEventListener('click', () => leave(''));
addEventListener('hashchange', show);

if (sessionStorage.getItem(KEY)) enter();
else leave('');
