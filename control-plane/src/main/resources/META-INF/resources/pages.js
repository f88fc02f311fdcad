// The pages that are more than a list of one kind: machines, jobs, deployments, webhooks and usage.

import { ask, may, read, readList, save, send } from './api.js';
import { Area, StackedBars } from './charts.js';
import { age, bytes, clock, duration, money, period, words } from './format.js';
import { html, useState } from './html.js';
import { Buttons, OVER, actionsOf, cancelJob, deploymentsKind, rollBack, webhooksKind } from './kinds.js';
import { Action, Facts, Form, Log, MachineLink, State, Table } from './parts.js';
import { setQuery, usePlace } from './state.js';

const LOG_LINES = 500;
const SHOWN_INSTRUCTIONS = 200;

const lastLines = (text) => text.split('\n').slice(-LOG_LINES).join('\n');
const readLog = (path) => ask(path, 'text/plain').then((answer) => answer.text()).catch((none) => none.message)
  .then(lastLines);

// ---- machines

const isOver = (machine) => machine.state === 'ENDED' || machine.state === 'ENDING';

/** Why a machine has ended. */
const reason = (machine) => (machine.endReason ? words(machine.endReason) : '');

const MACHINES = [
  { label: 'Machine', value: (one) => one.id, show: (one) => html`<${MachineLink} id=${one.id} />` },
  { label: 'State', value: (one) => words(one.state), show: (one) => html`<${State} name=${one.state} />`, filter: true },
  { label: 'GPU', value: (one) => one.gpu, filter: true },
  { label: 'Owner', value: (one) => one.owner },
  { label: 'Project', value: (one) => one.project, filter: true },
  { label: 'Age', value: (one) => age(one.created), sortBy: (one) => -Date.parse(one.created), number: true },
  { label: 'Cost', value: (one) => money(one.costNanos ?? 0), sortBy: (one) => one.costNanos ?? 0, number: true },
  { label: 'End', value: reason, filter: true },
  { label: 'What it does or waits for', value: (one) => one.text },
];

/** The number of machines in each state, and the longest wait. */
function Summary({ machines }) {
  const counts = new Map(['QUEUED', 'STARTING', 'READY', 'LOST', 'ENDING'].map((name) => [name, 0]));
  machines.filter((one) => one.state !== 'ENDED').forEach((one) => counts.set(one.state, (counts.get(one.state) ?? 0) + 1));
  const oldest = machines.filter((one) => one.state === 'QUEUED').map((one) => one.created).sort()[0];
  return html`
    <ul class="tiles" id="summary">
      ${[...counts].map(([name, count]) => html`<li key=${name} data-count=${name}><strong>${count}</strong> <${State} name=${name} /></li>`)}
      ${oldest ? html`<li key="wait"><strong>${age(oldest)}</strong> longest wait</li>` : null}
    </ul>`;
}

export const machines = {
  title: 'Machines',
  load: (place) => readList(`/v1/machines?${place.query.get('show') === 'all' ? 'ended=true' : 'failed=true'}`),
  key: (place) => place.query.get('show') ?? '',
  View: ({ data }) => {
    const { query } = usePlace();
    const all = query.get('show') === 'all';
    return html`
      <h2>Machines</h2>
      <${Summary} machines=${data.items} />
      <p><label class="check"><input type="checkbox" id="ended" checked=${all} onChange=${(event) => setQuery({ show: event.target.checked ? 'all' : '' })} />
        Also show all ended machines</label></p>
      <${Table} id="machines" columns=${MACHINES} items=${data.items} name=${(one) => one.id}
        attributes=${(one) => ({ 'data-machine': one.id, 'data-state': one.state })}
        empty=${all ? 'There were no machines.' : 'There are no machines. RemoteMachine.of("outpost", "any") starts one.'} />
      ${data.more ? html`<p class="soft">Only the newest ${data.items.length} are shown.</p>` : null}`;
  },
};

/** The phases that a machine went through, from its events. */
function phases(events, until) {
  const all = [];
  for (const event of [...events].sort((one, other) => Date.parse(one.at) - Date.parse(other.at))) {
    if (all.at(-1)?.phase !== event.phase) all.push({ phase: event.phase, state: event.state, from: Date.parse(event.at) });
  }
  return all.map((one, i) => ({ ...one, to: all[i + 1]?.from ?? (one.phase === 'ENDED' ? one.from : until) }));
}

function Phases({ events }) {
  const all = phases(events, Date.now());
  if (all.length === 0) return html`<p class="empty">Nothing has happened yet.</p>`;
  const whole = Math.max(1, all.at(-1).to - all[0].from);
  return html`
    <svg class="phases" viewBox="0 0 400 12" preserveAspectRatio="none" aria-hidden="true">
      ${all.map((one, i) => html`<rect key=${i} x=${(400 * (one.from - all[0].from)) / whole} y="0" height="12" width=${Math.max(1, (400 * (one.to - one.from)) / whole)} class=${`phase ${one.state.toLowerCase()}`} />`)}
    </svg>
    <${Table} id="phases" isPlain=${true} items=${all} columns=${[
      { label: 'Phase', value: (one) => words(one.phase) },
      { label: 'State', show: (one) => html`<${State} name=${one.state} />` },
      { label: 'From (UTC)', value: (one) => clock(one.from) },
      { label: 'Took', value: (one) => (one.phase === 'ENDED' ? '-' : duration(one.to - one.from)), number: true },
    ]} />`;
}

function grantState(grant) {
  if (grant.revoked) return 'taken back';
  if (grant.expires && Date.parse(grant.expires) < Date.now()) return 'over';
  return grant.told ? 'holds' : 'the machine is being told';
}

const GRANTS = [
  { label: 'Token (SHA-256)', show: (one) => html`<span class="id" title=${one.tokenSha256}>${one.tokenSha256.slice(0, 8)}</span>` },
  { label: 'Owner', value: (one) => one.owner },
  { label: 'State', value: grantState },
  { label: 'Until (UTC)', value: (one) => (one.expires ? clock(one.expires) : 'never') },
  { label: 'Memory', value: (one) => (one.memoryBytes === undefined ? 'all' : bytes(one.memoryBytes)), number: true },
  { label: 'Weight', value: (one) => one.weight, number: true },
  { label: 'Sessions', value: (one) => `${one.use ? one.use.sessions : '-'} of ${one.sessions ?? 'any number'}`, number: true },
  { label: 'Bytes in use', value: (one) => (one.use ? bytes(one.use.liveBytes) : '-'), number: true },
  { label: 'Engine time', value: (one) => (one.use ? `${(one.use.engineNanos / 1e9).toFixed(1)} s` : '-'), number: true },
  { label: 'Client heard', value: (one) => (one.use?.lastSeen ? `${age(one.use.lastSeen)} ago` : '-') },
];

const takeBack = (machine, grant) => ({
  label: 'Take back', question: `The token of ${grant.owner} opens machine ${machine.id.slice(0, 8)} no more. Its sessions end.`, isDanger: true,
  act: () => send('DELETE', `/v1/machines/${machine.id}/grants/${grant.tokenSha256}`),
});

const endMachine = (id) => ({
  label: 'End', question: `Machine ${id.slice(0, 8)} ends. Its sessions and all values on it are lost.`, isDanger: true,
  act: () => send('POST', `/v1/machines/${id}:end`),
});

const SHARING = [
  { name: 'mode', label: 'Mode', type: 'select', choices: ['EXCLUSIVE', 'SHARED'], required: true, hint: 'A shared machine reserves a part of its memory for each grant.' },
  { name: 'memoryBytes', label: 'Memory of all grants, in bytes', type: 'number', min: 1, hint: 'Only for a shared machine.' },
];

const GRANT = [
  { name: 'owner', label: 'Owner', required: true, max: 200, hint: 'The name of the person who gets the token.' },
  { name: 'role', label: 'Role', type: 'select', choices: ['USE', 'OBSERVE'], required: true, hint: 'An observer opens no session.' },
  { name: 'memoryBytes', label: 'Memory, in bytes', type: 'number', min: 1, hint: 'No limit if empty; needed for a shared machine.' },
  { name: 'weight', label: 'Weight', type: 'number', min: 1, hint: 'The share of engine time, relative to other grants; 100 if empty.' },
  { name: 'sessions', label: 'Sessions at most', type: 'number', min: 1 },
  { name: 'expires', label: 'Expires (UTC)', type: 'time' },
];

/** Draws a token. The backend gets only its hash. */
async function grant(machine, values) {
  if (!crypto.subtle) throw new Error('A token can be drawn over HTTPS and on localhost only.');
  const token = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
  const tokenSha256 = [...digest].map((one) => one.toString(16).padStart(2, '0')).join('');
  await send('POST', `/v1/machines/${machine.id}/grants`, { ...values, tokenSha256 });
  const at = machine.endpoint ? `machine      ${machine.endpoint.host}:${machine.endpoint.port}\ncertificate  ${machine.endpoint.certificate}\n` : '';
  return { title: `The token of ${values.owner}`, once: `${at}token        ${token}` };
}

function Sharing({ machine, sharing }) {
  const [form, setForm] = useState(null);
  const close = () => setForm(null);
  return html`
    <p class="actions">
      <button type="button" data-action="share" onClick=${() => setForm('grant')}>Add a grant</button>
      <button type="button" data-action="sharing" onClick=${() => setForm('sharing')}>Change the sharing</button>
    </p>
    ${form === 'sharing' ? html`<${Form} key="sharing" title="Sharing" fields=${SHARING} item=${sharing} onClose=${close}
      save=${(values) => send('PUT', `/v1/machines/${machine.id}/sharing`, values).then(() => null)} />` : null}
    ${form === 'grant' ? html`<${Form} key="grant" title="Add a grant" fields=${GRANT} item=${null} onClose=${close}
      note="Another person can use this machine with the token that you get." save=${(values) => grant(machine, values)} />` : null}`;
}


export const machine = {
  title: 'Machines',
  load: async (place, id) => {
    const row = await read(`/v1/machines/${id}`);
    // A machine that has not started or has ended has no log.
    const hasLog = row.state !== 'QUEUED' && row.state !== 'ENDED';
    const [events, usage, grants, sharing, log] = await Promise.all([
      read(`/v1/machines/${id}/events?limit=500`), read(`/v1/usage/${id}`), read(`/v1/machines/${id}/grants`),
      read(`/v1/machines/${id}/sharing`), hasLog ? readLog(`/v1/machines/${id}/logs`) : '',
    ]);
    return { row, events: events.items, usage, grants: grants.items, sharing, log };
  },
  View: ({ data: { row, events, usage, grants, sharing, log } }) => {
    const facts = [
      ['State', html`<${State} name=${row.state} />`],
      ['What it does or waits for', row.text],
      row.endReason ? ['Why it ended', reason(row)] : null,
      ['GPU', row.assignedGpu && row.assignedGpu !== row.gpu ? `${row.gpu}, it got ${row.assignedGpu}` : row.gpu],
      ['Owner', row.owner],
      ['Project', row.project],
      ['Cluster', row.cluster ?? '-'],
      [row.endpoint?.serverName ? 'Reached by the relay' : 'Serves at', row.endpoint ? `${row.endpoint.host}:${row.endpoint.port}` : '-'],
      ['Requested (UTC)', clock(row.created)],
      ['Ends by itself (UTC)', row.endsAt ? clock(row.endsAt) : '-'],
      ['Memory of grants', sharing.mode === 'SHARED' ? `shared, ${bytes(sharing.memoryBytes)}` : 'exclusive'],
      ['Cost', money(usage.totalNanos, usage.currency)],
    ];
    const users = grants.filter((one) => one.use?.sessions > 0);
    return html`
      <h2>Machine <span class="id">${row.id}</span></h2>
      <p class="actions">
        ${isOver(row) || !may('MACHINES') ? null : html`<${Action} ...${endMachine(row.id)} />`}
        ${row.state === 'READY' ? html`<a href=${`#/machines/${row.id}/instructions`}>Instructions</a>` : null}
      </p>
      <${Facts} facts=${facts} />
      <h2>Phases</h2>
      <${Phases} events=${events} />
      <h2>Sessions</h2>
      <${Table} id="sessions" isPlain=${true} items=${users} name=${(one) => one.tokenSha256} empty="No session is open." columns=${[
        { label: 'Owner', value: (one) => one.owner },
        { label: 'Sessions', value: (one) => one.use.sessions, number: true },
        { label: 'Bytes in use', value: (one) => bytes(one.use.liveBytes), number: true },
        { label: 'Engine time', value: (one) => `${(one.use.engineNanos / 1e9).toFixed(1)} s`, number: true },
        { label: 'Client heard', value: (one) => (one.use.lastSeen ? `${age(one.use.lastSeen)} ago` : '-') },
      ]} />
      <h2>Grants</h2>
      ${isOver(row) || !may('MACHINES') ? null : html`<${Sharing} machine=${row} sharing=${sharing} />`}
      <${Table} id="grants" isPlain=${true} items=${grants} name=${(one) => one.tokenSha256} empty="Nobody has a grant of this machine."
        attributes=${(one) => ({ 'data-grant': one.tokenSha256 })}
        columns=${isOver(row) || !may('MACHINES') ? GRANTS : [...GRANTS, { label: 'Actions', show: (one) => (one.revoked ? '' : html`<${Action} ...${takeBack(row, one)} />`) }]} />
      <h2>Events</h2>
      <${Table} id="events" isPlain=${true} items=${events} name=${(one) => one.cursor} empty="Nothing has happened yet." columns=${[
        { label: 'When (UTC)', value: (one) => clock(one.at) },
        { label: 'Event', value: (one) => one.type.toLowerCase() },
        { label: 'State', show: (one) => html`<${State} name=${one.state} />` },
        { label: 'What happened', value: (one) => one.text },
      ]} />
      <h2>Log</h2>
      ${row.state === 'ENDED' ? html`<p class="empty">The log of a machine ends with it. The events say why it ended.</p>` : html`<${Log} text=${log} />`}`;
  },
};

export const instructions = {
  title: 'Instructions',
  load: (place, id) => read(`/v1/machines/${id}/instructions?limit=${SHOWN_INSTRUCTIONS}`),
  View: ({ data, name }) => html`
    <h2>Instructions of machine <${MachineLink} id=${name} /></h2>
    <p class="soft">The latest ${SHOWN_INSTRUCTIONS} of each open session. The machine is asked while this page is shown.</p>
    ${data.sessions.length === 0 ? html`<p class="empty" id="instructions">No session is open.</p>` : data.sessions.map((session) => html`
      <h3 key=${`h${session.number}`}>Session ${session.number}</h3>
      <pre key=${session.number} class="instructions" data-session=${session.number} tabindex="0" aria-label=${`Session ${session.number}`}>${session.lines.join('\n') || 'It has run nothing yet.'}</pre>`)}`,
};

// ---- jobs

/** What this page has read of the logs of jobs, by address: the latest lines, the run, and the offset to go on from. */
const logs = new Map();

/** Returns the latest lines of the log of a job, which the backend sends in parts. */
async function readJobLog(path) {
  let log = logs.get(path);
  for (;;) {
    const from = log?.next ?? 0;
    const answer = await ask(`${path}?from=${from}`, 'text/plain');
    const run = answer.headers.get('Outpost-Run');
    if (log && log.run !== run) {
      log = undefined;
      continue;
    }
    log ??= { run, text: '', decoder: new TextDecoder() };
    const part = log.decoder.decode(await answer.arrayBuffer(), { stream: true });
    log = { ...log, next: Number(answer.headers.get('Outpost-Next')), text: lastLines(log.text + part) };
    if (log.next === from) {
      logs.set(path, log);
      return log.text;
    }
  }
}

function Artefact({ job, file }) {
  const [state, setState] = useState('');
  const download = async (event) => {
    event.preventDefault();
    setState(' is being read');
    try {
      await save(event.currentTarget.href, file.size, file.path.split('/').pop());
      setState('');
    } catch (failure) {
      setState(`: ${failure.message}`);
    }
  };
  return html`<a download href=${`/v1/jobs/${job}/artefact?path=${encodeURIComponent(file.path)}&run=${file.run}`} onClick=${download}>${file.path}</a>${state}`;
}

export const job = {
  title: 'Jobs',
  load: async (place, id) => {
    const [one, artefacts, log] = await Promise.all([read(`/v1/jobs/${id}`), read(`/v1/jobs/${id}/artefacts`), readJobLog(`/v1/jobs/${id}/log`).catch((none) => none.message)]);
    return { one, artefacts, log };
  },
  View: ({ data: { one, artefacts, log } }) => html`
    <h2>Job ${one.name ?? one.programName ?? ''} <span class="id">${one.id}</span></h2>
    <p class="actions">${OVER.includes(one.phase) || !may('MACHINES') ? null : html`<${Action} ...${cancelJob(one)} />`}</p>
    <${Facts} facts=${[
      ['State', html`<${State} name=${one.phase} />`],
      ['What it does or waits for', one.text],
      ['Program', [one.programName, ...(one.arguments ?? [])].join(' ')],
      ['GPU', one.gpu],
      ['Owner', one.owner],
      ['Project', one.project],
      ['Machine', one.machine ? html`<${MachineLink} id=${one.machine} />` : '-'],
      ['Exit code', one.exitCode === undefined ? '-' : String(one.exitCode)],
      ['Secrets by name', one.secrets?.join(', ') || '-'],
      ['Requested (UTC)', clock(one.created)],
    ]} />
    <h2>Runs</h2>
    <${Table} id="runs" isPlain=${true} items=${one.runs} name=${(run) => run.number} empty="It has not run yet." columns=${[
      { label: 'Run', value: (run) => run.number },
      { label: 'Machine', show: (run) => html`<${MachineLink} id=${run.machine} />` },
      { label: 'Begun (UTC)', value: (run) => clock(run.begun) },
    ]} />
    <h2>Artefacts</h2>
    <${Table} id="artefacts" isPlain=${true} items=${artefacts} empty="It has kept no files." columns=${[
      { label: 'Path', value: (file) => file.path, show: (file) => html`<${Artefact} job=${one.id} file=${file} />` },
      { label: 'Run', value: (file) => file.run, number: true },
      { label: 'Size', value: (file) => bytes(file.size), number: true },
    ]} />
    <h2>Events</h2>
    <${Table} id="events" isPlain=${true} items=${one.events} empty="Nothing has happened yet." columns=${[
      { label: 'When (UTC)', value: (event) => clock(event.at) },
      { label: 'State', show: (event) => html`<${State} name=${event.phase} />` },
      { label: 'What happened', value: (event) => event.text },
    ]} />
    <h2>Log</h2>
    <${Log} text=${log} />`,
};

// ---- deployments

export const deployment = {
  title: 'Deployments',
  load: (place, name) => read(`/v1/deployments/${encodeURIComponent(name)}`),
  View: ({ data: one }) => {
    const requests = (replica) => replica.gateways.reduce((all, gateway) => all + gateway.requests, 0);
    const fullest = (replica) => Math.max(0, ...replica.gateways.map((gateway) => gateway.cacheUse));
    const buttons = [...(one.revisions.length > 1 ? [rollBack(one)] : []),
      ...actionsOf(deploymentsKind, one).map((act) => ({ ...act, then: () => { location.hash = '#/deployments'; } }))];
    return html`
      <h2>Deployment ${one.name}</h2>
      <p>${one.text}</p>
      ${one.zeroToToken ? html`<p class="soft" id="zero-to-token">From no replica to the first token: ${period(one.zeroToToken)} (${clock(one.zeroToTokenTold)} UTC).</p>` : null}
      <p class="actions">${may('MACHINES') ? html`<a href=${`#/deployments?edit=${one.name}`}>Change</a> <${Buttons} actions=${buttons} />` : null}</p>
      <h2>Replicas</h2>
      <${Table} id="replicas" isPlain=${true} items=${one.replicas} name=${(replica) => replica.machine} empty="It has no replica until it is asked."
        attributes=${(replica) => ({ 'data-replica': replica.machine })} columns=${[
          { label: 'Machine', show: (replica) => html`<${MachineLink} id=${replica.machine} />` },
          { label: 'Revision', value: (replica) => replica.revision, number: true },
          { label: 'State', show: (replica) => html`<${State} name=${replica.drainingSince ? 'draining' : replica.phase} />` },
          { label: 'Requests', value: requests, number: true },
          { label: 'Cache', value: (replica) => `${Math.round(100 * fullest(replica))} %`, number: true },
          { label: 'What it does or waits for', value: (replica) => replica.text },
        ]} />
      <h2>Revisions</h2>
      <${Table} id="revisions" isPlain=${true} items=${one.revisions} name=${(revision) => revision.number} empty="" columns=${[
        { label: 'Revision', value: (revision) => `${revision.number}${revision.number === one.revision ? ', rolled out' : ''}` },
        { label: 'Model', value: (revision) => revision.model },
        { label: 'GPU', value: (revision) => revision.gpu },
        { label: 'Created (UTC)', value: (revision) => clock(revision.created) },
        { label: 'Why it failed', value: (revision) => revision.failure ?? '' },
      ]} />`;
  },
};

// ---- webhooks

const redeliver = (id, delivery) => ({
  label: 'Send again', question: `The event ${delivery.type} is sent again.`,
  act: () => send('POST', `/v1/webhooks/${id}/deliveries/${delivery.id}:redeliver`),
});

export const webhook = {
  title: 'Webhooks',
  load: async (place, id) => {
    const [all, deliveries] = await Promise.all([readList('/v1/webhooks'), readList(`/v1/webhooks/${id}/deliveries`)]);
    const one = all.items.find((other) => other.id === id);
    if (!one) throw new Error(`There is no webhook ${id}`);
    return { one, deliveries };
  },
  View: ({ data: { one, deliveries } }) => html`
    <h2>Webhook <span class="id">${one.url}</span></h2>
    <p class="actions"><a href=${`#/webhooks?edit=${one.id}`}>Change</a>
      <${Buttons} actions=${actionsOf(webhooksKind, one).map((act) => ({ ...act, then: () => { location.hash = '#/webhooks'; } }))} /></p>
    <h2>Deliveries</h2>
    <${Table} id="deliveries" items=${deliveries.items} name=${(delivery) => delivery.id} empty="Nothing was sent yet." columns=${[
      { label: 'When (UTC)', value: (delivery) => clock(delivery.created) },
      { label: 'Event', value: (delivery) => delivery.type, filter: true },
      { label: 'State', value: (delivery) => words(delivery.state), show: (delivery) => html`<${State} name=${delivery.state} />`, filter: true },
      { label: 'Attempts', value: (delivery) => delivery.tries, number: true },
      { label: 'Result', value: (delivery) => delivery.text },
      { label: 'Actions', show: (delivery) => html`<${Action} ...${redeliver(one.id, delivery)} />` },
    ]} />`,
};

// ---- usage

const USAGE_PAGES = 20;
const WINDOWS = [['1', 'a day'], ['7', 'a week'], ['30', '30 days']];

async function readUsage(from) {
  const answer = await read(`/v1/usage?limit=500&from=${from}`);
  let next = answer.next;
  for (let page = 1; next && page < USAGE_PAGES; page += 1) {
    const more = await read(`/v1/usage?limit=500&from=${from}&cursor=${encodeURIComponent(next)}`);
    answer.items.push(...more.items);
    next = more.next;
  }
  return { ...answer, more: Boolean(next) };
}

const windowOf = (query) => WINDOWS.map(([count]) => count).find((count) => count === query.get('days')) ?? '7';

/** Sums the costs of machines by day and project. */
function sums(items) {
  const all = new Map();
  for (const item of items) {
    const key = `${item.day} ${item.project}`;
    const sum = all.get(key) ?? { key, day: item.day, project: item.project, machines: new Set(), seconds: 0, nanos: 0n };
    sum.machines.add(item.machine);
    sum.seconds += item.gpuSeconds;
    sum.nanos += BigInt(item.nanos);
    all.set(key, sum);
  }
  return [...all.values()];
}

const figure = (value) => (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : String(Number(value.toPrecision(2))));
const count = (value) => String(Number(value.toFixed(1)));

export const usage = {
  title: 'Usage',
  key: (place) => windowOf(place.query),
  load: async (place) => {
    const from = new Date(Date.now() - Number(windowOf(place.query)) * 86400000).toISOString();
    const [bill, samples] = await Promise.all([readUsage(from), read(`/v1/use-samples?from=${from}`)]);
    return { bill, samples };
  },
  View: ({ data: { bill, samples } }) => {
    const { query } = usePlace();
    const split = (name) => bill.items.map((item) => ({ day: item.day, name: name(item), value: Number(item.nanos) / 1e9 }));
    const hours = bill.items.map((item) => ({ day: item.day, name: item.gpu, value: item.gpuSeconds / 3600 }));
    const [from, to] = [Date.parse(samples.from), Date.parse(samples.to)];
    const step = stepMillis(samples.step);
    const points = (value) => samples.items.map((item) => ({ at: Date.parse(item.at), value: value(item) }));
    const over = { from, to, step };
    return html`
      <h2>Usage and cost</h2>
      <div class="tools"><label>Time
        <select id="days" value=${windowOf(query)} onChange=${(event) => setQuery({ days: event.target.value })}>
          ${WINDOWS.map(([value, label]) => html`<option key=${value} value=${value}>${label}</option>`)}
        </select></label></div>
      <p class="soft">${clock(bill.from).slice(0, 10)} to ${clock(bill.to).slice(0, 10)}, whole days (UTC); in all ${money(bill.totalNanos, bill.currency)}</p>
      ${bill.more ? html`<p class="soft">Only the first days are shown; ./outpost usage --csv has all.</p>` : null}
      <div class="charts">
        <${Area} id="gpus-in-use" title="GPUs in use" points=${points((item) => item.gpus)} text=${count} ...${over} />
        <${Area} id="memory-in-use" title="Memory in use" points=${points((item) => item.memoryBytes)} text=${(value) => bytes(Math.round(value))} ...${over} />
        ${bill.items.length === 0 ? null : html`
          <${StackedBars} id="gpu-hours" title="GPU hours by day and GPU" items=${hours} text=${figure} />
          <${StackedBars} id="cost-by-project" title="Cost by day and project" items=${split((item) => item.project)} text=${figure} />
          <${StackedBars} id="cost-by-gpu" title="Cost by day and GPU" items=${split((item) => item.gpu)} text=${figure} />
          <${StackedBars} id="cost-by-deployment" title="Cost by day and deployment" items=${split((item) => item.deployment ?? 'no deployment')} text=${figure} />`}
      </div>
      <h2>By project and day</h2>
      <${Table} id="usage" items=${sums(bill.items)} name=${(sum) => sum.key} empty="Nothing was used in this time." columns=${[
        { label: 'Day', value: (sum) => sum.day },
        { label: 'Project', value: (sum) => sum.project, filter: true },
        { label: 'Machines', value: (sum) => sum.machines.size, number: true },
        { label: 'GPU seconds', value: (sum) => sum.seconds, number: true },
        { label: 'Cost', value: (sum) => money(sum.nanos, bill.currency), sortBy: (sum) => Number(sum.nanos), number: true },
      ]} />`;
  },
};

/** A step of samples, as the API writes it: PT5M or PT1H30M. */
function stepMillis(text) {
  const [, hours, minutes] = text.match(/^PT(?:(\d+)H)?(?:(\d+)M)?$/);
  return (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60000;
}
