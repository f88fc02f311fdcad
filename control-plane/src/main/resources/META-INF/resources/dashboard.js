// The dashboard: pages that read the API and show what it says, and the loop that keeps the one that is shown fresh.

import { changeCluster, endMachine, pausePool, removeMember, revokeKey, rollBack } from './actions.js';
import { Refusal, ask, key, read } from './api.js';
import { stackedBars } from './charts.js';
import { instructions } from './instructions.js';
import { job, jobs } from './jobs.js';
import { begin, complete, end, issuer } from './login.js';
import { age, bytes, clock, element, link, money, period, state, table } from './elements.js';

const REFRESH_MILLIS = 1000;
const LOG_LINES = 500;

let stream = null;
let ticking = null;
let shown = 0;
/** The hash of the page that is shown. */
let of = null;
/** When what is shown was read; null where the page could not be. */
let readAt = null;

const $ = (id) => document.getElementById(id);

// ---- pages

async function machines() {
  const page = await read('/v1/machines?failed=true&limit=200');
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
    summary(page.items.filter((machine) => machine.state !== 'ENDED')),
    table('machines', headings, rows, 'There are no machines. RemoteMachine.of("outpost", "any") starts one.'),
    ...(page.next ? [element('p', { class: 'soft' }, 'Only the newest 200 are shown.')] : []),
  ];
}

/** How many machines are in each state, and since when the one waits that has waited longest. */
function summary(machines) {
  const counts = new Map(['QUEUED', 'STARTING', 'READY', 'LOST', 'ENDING'].map((name) => [name, 0]));
  machines.forEach((one) => counts.set(one.state, (counts.get(one.state) ?? 0) + 1));
  const oldest = machines.filter((one) => one.state === 'QUEUED').map((one) => one.created).sort()[0];
  const tiles = [...counts].map(([name, count]) =>
    element('li', { 'data-count': name }, element('strong', {}, String(count)), ' ', state(name)));
  if (oldest) tiles.push(element('li', {}, element('strong', {}, age(oldest)), ' longest wait'));
  return element('ul', { class: 'tiles', id: 'summary' }, ...tiles);
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
    ['Cost', money(usage.totalNanos, usage.currency)],
  ];
  return [
    element('h2', {}, 'Machine ', element('span', { class: 'id' }, row.id)),
    element('p', { class: 'actions' }, ...(row.state === 'ENDING' || row.state === 'ENDED' ? [] : [endMachine(row.id)]),
      ...(row.state === 'READY' ? [element('a', { href: `#/machines/${row.id}/instructions` }, 'Instructions')] : [])),
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
      element('span', { class: 'actions' }, ...changeCluster(cluster)),
    ],
  }));
  return [
    element('h2', {}, 'Clusters and worker hosts'),
    table(
      'clusters',
      [['Cluster'], ['Provider'], ['State'], ['GPUs'], ['Machines', 'number'], ['Worker host'], ['Heard or seen'], ['Relay'], ['Trouble'], ['Actions']],
      rows,
      'There are no clusters: no machine can be anywhere.'),
    ...(page.next ? [element('p', { class: 'soft' }, 'Only the first 200 are shown.')] : []),
  ];
}

/** Pages of a bill that are read: a bill of thousands of machines is no page for people. */
const USAGE_PAGES = 20;

async function usage() {
  const answer = await read('/v1/usage?limit=500');
  let next = answer.next;
  for (let page = 1; next && page < USAGE_PAGES; page += 1) {
    const more = await read(`/v1/usage?limit=500&cursor=${next}`);
    answer.items.push(...more.items);
    next = more.next;
  }
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
    cells: [sum.day, sum.project, String(sum.machines.size), String(sum.seconds), money(sum.nanos, answer.currency)],
  }));
  const split = (name) => answer.items.map((item) => ({ day: item.day, name: name(item), value: Number(item.nanos) / 1e9 }));
  const amount = (value) => (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : String(Number(value.toPrecision(2))));
  const charts = answer.items.length === 0 ? [] : [
    stackedBars('cost-by-project', 'Cost by day and project', split((item) => item.project), amount),
    stackedBars('cost-by-gpu', 'Cost by day and GPU', split((item) => item.gpu), amount),
    stackedBars('cost-by-deployment', 'Cost by day and deployment', split((item) => item.deployment ?? 'no deployment'), amount),
  ];
  return [
    element('h2', {}, 'Usage and cost'),
    element('p', { class: 'soft' }, `${clock(answer.from)} to ${clock(answer.to)} (UTC), in all ${money(answer.totalNanos, answer.currency)}`),
    ...(next ? [element('p', { class: 'soft' }, 'Only the first days are shown; ./outpost usage --csv has all.')] : []),
    element('div', { class: 'charts' }, ...charts),
    element('h2', {}, 'By project and day'),
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
      [['Quota'], ['Project'], ['Used', 'number'], ['Allowed', 'number'], ['Left', 'number'], ['Share used']],
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
    ...(one.zeroToToken
      ? [element('p', { class: 'soft', id: 'zero-to-token' },
        `From no replica to the first token: ${period(one.zeroToToken)} (${clock(one.zeroToTokenTold)} UTC).`)]
      : []),
    element('p', { class: 'actions' }, ...(one.revisions.length > 1 ? [rollBack(one)] : [])),
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
      pausePool(pool),
    ],
  }));
  return [
    element('h2', {}, 'Warm pools'),
    table('pools', [['Pool'], ['GPU'], ['Machines that wait', 'number'], ['What it does'], ['Actions']], rows, 'There are no pools: each machine starts anew. ./outpost pools set NAME --gpu any makes one.'),
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
      [['Budget'], ['Spent', 'number'], ['Cap', 'number'], ['Share spent'], ['What is left'], ['What happens']],
      rows,
      'No budgets are set: nothing bounds what is spent. ./outpost budgets set --period month --cap 100 sets one.'),
    ...(answer.next ? [element('p', { class: 'soft' }, 'Only the first 500 are shown.')] : []),
  ];
}

async function keys() {
  const answer = await read('/v1/keys?limit=200');
  const rows = answer.items.map((one) => ({
    attributes: { 'data-key': one.id },
    cells: [
      one.name,
      element('span', { class: 'id' }, one.id),
      one.project ?? 'all of the organisation',
      one.member ?? '-',
      one.scopes.map((scope) => scope.toLowerCase()).join(', '),
      clock(one.created),
      one.revoked ? 'revoked' : one.expires ? `until ${clock(one.expires)}` : 'holds',
      one.revoked ? '' : revokeKey(one),
    ],
  }));
  return [
    element('h2', {}, 'Keys'),
    table(
      'keys',
      [['Key'], ['Id'], ['Project'], ['Member'], ['Scopes'], ['Created (UTC)'], ['State'], ['Actions']],
      rows,
      'There are no keys.'),
    ...(answer.next ? [element('p', { class: 'soft' }, 'Only the first 200 are shown.')] : []),
  ];
}

async function members() {
  const answer = await read('/v1/members?limit=200');
  const rows = answer.items.map((one) => ({
    attributes: { 'data-member': one.subject },
    cells: [one.subject, one.project ?? 'all of the organisation', one.role.toLowerCase(), clock(one.created), removeMember(one)],
  }));
  return [
    element('h2', {}, 'Members'),
    table('members', [['Member'], ['Project'], ['Role'], ['Since (UTC)'], ['Actions']], rows, 'There are no members: keys alone open this backend.'),
    ...(answer.next ? [element('p', { class: 'soft' }, 'Only the first 200 are shown.')] : []),
  ];
}

async function audit() {
  const answer = await read('/v1/audit?limit=200');
  const rows = answer.items.map((act) => ({ cells: [clock(act.at), act.actor, act.action, act.target, act.detail] }));
  return [
    element('h2', {}, 'Audit'),
    table('audit', [['When (UTC)'], ['Key'], ['What was done'], ['To'], ['Detail']], rows, 'Nothing was changed yet.'),
    ...(answer.next ? [element('p', { class: 'soft' }, 'Only the newest 200 are shown.')] : []),
  ];
}

/** Pages by their hash; those of one machine, job or deployment have its name in it. */
const PAGES = new Map([
  ['#/', machines], ['#/deployments', deployments], ['#/jobs', jobs], ['#/pools', pools], ['#/budgets', budgets], ['#/usage', usage],
  ['#/quotas', quotas], ['#/clusters', clusters], ['#/keys', keys], ['#/members', members], ['#/audit', audit],
]);

function page() {
  const hash = location.hash || '#/';
  const one = hash.match(/^#\/machines\/([0-9a-f-]{36})$/);
  if (one) return () => machine(one[1]);
  const run = hash.match(/^#\/machines\/([0-9a-f-]{36})\/instructions$/);
  if (run) return () => instructions(run[1]);
  const asked = hash.match(/^#\/jobs\/([0-9a-f-]{36})$/);
  if (asked) return () => job(asked[1]);
  const name = hash.match(/^#\/deployments\/([a-z0-9-]{1,40})$/);
  if (name) return () => deployment(name[1]);
  return PAGES.get(hash) ?? machines;
}

// ---- what is shown

function say(trouble) {
  $('trouble').textContent = trouble;
  $('trouble').hidden = trouble === '';
}

/** Where a link leads, or which action of which row a button is. */
const place = (node) => node.getAttribute('href')
  ?? [node.dataset.action, ...Object.values(node.closest('tr')?.dataset ?? {})].join(' ');

/** Only what has changed, so that a log stays where it was scrolled to, and a link that has the focus keeps it. */
function replaceChanged(page, parts) {
  const focused = page.contains(document.activeElement) ? place(document.activeElement) : null;
  if (page.children.length !== parts.length) {
    page.replaceChildren(...parts);
  } else {
    [...page.children].forEach((old, i) => {
      if (!old.isEqualNode(parts[i])) old.replaceWith(parts[i]);
    });
  }
  if (focused && !page.contains(document.activeElement)) {
    [...page.querySelectorAll('a, button')].find((other) => place(other) === focused)?.focus();
  }
}

async function show() {
  const turn = ++shown;
  const hash = location.hash;
  if (hash !== of) $('page').setAttribute('aria-busy', 'true');
  try {
    const parts = await page()();
    // A page that took long must not replace one that was asked for after it.
    if (turn === shown) {
      replaceChanged($('page'), parts);
      of = hash;
      readAt = Date.now();
      document.title = `${$('page').querySelector('h2').textContent} - Outpost`;
      $('page').removeAttribute('aria-busy');
      say('');
    }
  } catch (failure) {
    if (turn !== shown) return;
    $('page').removeAttribute('aria-busy');
    if (failure.status === 401) {
      leave('The key is unknown, has expired or was revoked.');
    } else {
      // Rows of another page must not stand below its trouble.
      if (hash !== of) {
        $('page').replaceChildren(element('h2', {}, 'This page cannot be shown'));
        readAt = null;
      }
      of = hash;
      const trouble = failure instanceof Refusal ? failure.message : 'The backend does not answer; it is asked again';
      say(readAt ? `${trouble}. Below is what was read at ${clock(readAt)} (UTC).` : `${trouble}.`);
    }
  }
  for (const anchor of document.querySelectorAll('nav a')) {
    const hash = location.hash || '#/';
    const here = hash.startsWith('#/machines/') ? '#/' : hash.replace(/^(#\/[a-z]+)\/.*$/, '$1');
    const isHere = anchor.getAttribute('href') === here;
    const wasHere = anchor.hasAttribute('aria-current');
    if (isHere) anchor.setAttribute('aria-current', 'page');
    else anchor.removeAttribute('aria-current');
    if (isHere && !wasHere) showCurrent();
  }
}

/** On a phone the pages' names are wider than the screen. */
function showCurrent() {
  document.querySelector('nav a[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

addEventListener('resize', showCurrent);

/** Events say that something has changed; what it is the page reads. */
async function listen() {
  while (key.isThere()) {
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
  $('issuer').hidden = true;
  $('leave').textContent = key.isOfLogin() ? 'Log out' : 'Forget the key';
  document.querySelector('nav').hidden = false;
  show();
  listen();
  // Ages and costs go on although nothing happens.
  ticking = setInterval(() => { if (!document.hidden) show(); }, 5 * REFRESH_MILLIS);
}

function leave(why) {
  key.forget();
  clearInterval(ticking);
  stream?.abort();
  shown++;
  $('page').replaceChildren();
  document.querySelector('nav').hidden = true;
  $('login').hidden = false;
  say(why);
  offerIssuer();
}

let known = null;

async function offerIssuer() {
  known = await issuer();
  if (known && !key.isThere()) {
    $('issuer-name').textContent = known.issuer;
    $('issuer').hidden = false;
  }
}

async function logOut() {
  try {
    if (key.isOfLogin()) await end(await issuer());
    leave('');
  } catch (refused) {
    leave(`The key is forgotten here, but it was not revoked: ${refused.message}`);
  }
}

async function start() {
  try {
    await complete();
  } catch (refused) {
    leave(refused.message);
    return;
  }
  if (key.isThere()) enter();
  else leave('');
}

$('login').addEventListener('submit', (event) => {
  event.preventDefault();
  key.keep($('key').value.trim());
  $('key').value = '';
  say('');
  enter();
});
$('issuer').addEventListener('submit', (event) => {
  event.preventDefault();
  begin(known, $('organisation').value.trim()).catch((failed) => say(failed.message));
});
$('leave').addEventListener('click', logOut);
addEventListener('hashchange', show);

start();
