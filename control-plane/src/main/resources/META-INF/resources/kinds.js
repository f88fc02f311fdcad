// The kinds of things that users make: how each is listed, made, changed and removed. The pages, tables and forms of all kinds are made
// from these descriptions.

import { currentSession, drawId, read, readList, send, upload } from './api.js';
import { age, clock, money, words } from './format.js';
import { html } from './html.js';
import { Action, State, areLines } from './parts.js';

const SLUG = '[a-z0-9]([a-z0-9\\-]{0,38}[a-z0-9])?';
const SLUG_HINT = 'Small letters, digits and hyphens, up to 40.';
const ALL = 'all of the organisation';

const query = (parameters) => {
  const known = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return known.length === 0 ? '' : `?${new URLSearchParams(known)}`;
};
const path = (...parts) => parts.map(encodeURIComponent).join('/');

// ---- fields of several kinds

const gpus = async () => ['any', ...(await read('/v1/gpus?limit=500')).items.map((gpu) => gpu.name).filter((name) => name !== 'any')];
const projects = async () => (await readList('/v1/projects')).items.filter((one) => !one.archived).map((one) => one.name);

const nameField = { name: 'name', label: 'Name', required: true, pattern: SLUG, hint: SLUG_HINT, max: 40, fixed: true };
const gpuField = { name: 'gpu', label: 'GPU', required: true, initial: 'any', choices: gpus, hint: 'A kind of GPU such as A100, or any.' };
const projectField = { name: 'project', label: 'Project', type: 'select', choices: projects, none: 'the project of the key, or default', fixed: true };
const ofProject = { ...projectField, none: ALL };
const fromField = { name: 'from', label: 'Valid from (UTC)', type: 'time', hint: 'Now if empty. Past charges do not change.' };
const periodField = (name, label, hint) => ({
  name, label, hint, placeholder: 'PT5M', pattern: 'P(\\d+D)?(T(\\d+H)?(\\d+M)?([\\d.]+S)?)?',
});

const projectColumn = { label: 'Project', value: (one) => one.project ?? ALL, filter: true };
const amount = (label, value) => ({ label, value, number: true });
const time = (label, value) => ({ label: `${label} (UTC)`, value: (one) => (value(one) ? clock(value(one)) : '-') });

/** The fields of a job, which schedules have too. */
const JOB = [
  gpuField,
  {
    name: 'program', label: 'Program', type: 'file', accept: '.jar', required: true, hint: 'A jar that the machine runs.',
    keeps: 'A jar that the machine runs; the present one if empty.',
  },
  { name: 'arguments', label: 'Arguments', type: 'lines', hint: 'One on each line.', isKept: (one) => !areLines(one.arguments) },
  {
    name: 'environment', label: 'Environment', type: 'pairs', hint: 'Lines such as NAME=value.', of: (one) => pairs(one.environment),
    isKept: (one) => !areLines(Object.values(one.environment ?? {})),
  },
  { name: 'secrets', label: 'Secrets', type: 'list', hint: 'Names of secrets of the project.' },
  { name: 'retries', label: 'Retries', type: 'number', min: 0, max: 20 },
  periodField('timeout', 'Longest run', 'Such as PT2H; a day if empty.'),
];

const pairs = (map) => Object.entries(map ?? {}).map(([name, value]) => `${name}=${value}`);

/** @param item the present item, whose values stay where the form has none; undefined for a new one */
async function jobOf(values, onProgress, item) {
  return {
    gpu: values.gpu, project: values.project, name: values.jobName,
    program: values.program ? await upload(values.program, onProgress) : item.program, programName: values.program?.name ?? item.programName,
    arguments: values.arguments ?? item.arguments, environment: values.environment ?? item.environment, secrets: values.secrets,
    retries: values.retries, timeout: values.timeout,
  };
}

/** The fields of everything that has replicas. */
const SCALE = [
  { name: 'min', label: 'Replicas at least', type: 'number', min: 0, initial: 0 },
  { name: 'max', label: 'Replicas at most', type: 'number', min: 1, initial: 1 },
  { name: 'target', label: 'Requests of a replica', type: 'number', min: 1, hint: 'More concurrent requests start another replica; 16 if empty.' },
  periodField('idle', 'Idle time', 'The last replica ends after this time without a request; PT5M if empty.'),
];

const removal = (label, question, act, then) => ({ label, question, act, then, isDanger: true });

// ---- the kinds

export const organisations = {
  slug: 'organisations', title: 'Organisations', one: 'organisation', scope: 'OPERATOR', reads: 'OPERATOR',
  list: async () => {
    const { items, more } = await readList('/v1/organisations');
    return { items: items.map((name) => ({ name })), more };
  },
  name: (one) => one.name,
  columns: [
    { label: 'Organisation', value: (one) => one.name },
    {
      label: "Operator's limits",
      show: (one) => html`<a href=${`#/organisations/${one.name}/quotas`} aria-label=${`Quotas of ${one.name}`}>Quotas</a> <a
        href=${`#/organisations/${one.name}/budgets`} aria-label=${`Budgets of ${one.name}`}>Budgets</a>`,
    },
  ],
  empty: 'There are no organisations.',
  actions: (one) => (one.name === currentSession().organisation ? [] : [removal(
    'Remove', `Organisation ${one.name} is removed, with its projects, members and keys. One that was used stays.`,
    () => send('DELETE', `/v1/organisations/${path(one.name)}`))]),
  fields: [nameField],
  create: async (values) => {
    const made = await send('POST', '/v1/organisations', { name: values.name });
    return { title: `The administrator's key of ${made.name}`, once: made.key };
  },
};

export const projectsKind = {
  slug: 'projects', title: 'Projects', one: 'project', scope: 'ADMIN', path: '/v1/projects', row: 'data-project',
  name: (one) => one.name,
  columns: [
    { label: 'Project', value: (one) => one.name },
    amount('Priority', (one) => one.priority),
    { label: 'State', value: (one) => (one.archived ? 'archived' : 'active'), show: (one) => html`<${State} name=${one.archived ? 'archived' : 'active'} />`, filter: true },
    time('Created', (one) => one.created),
  ],
  empty: 'There are no projects.',
  fields: [
    nameField,
    { name: 'priority', label: 'Priority', type: 'number', min: -1000, max: 1000, initial: 0, hint: 'Requests of a higher priority go first.' },
    { name: 'archived', label: 'Archived: no new machines', type: 'checkbox', of: (one) => Boolean(one.archived) },
  ],
  create: (values, item) => send('PUT', `/v1/projects/${path(values.name)}`, { priority: values.priority, archived: values.archived }, item?.version ?? 0),
  isEditable: true,
  actions: (one) => (one.name === 'default' ? [] : [removal(
    'Remove', `Project ${one.name} is removed, with its members, keys and limits. One that was used stays; archive it instead.`,
    () => send('DELETE', `/v1/projects/${path(one.name)}`, undefined, one.version))]),
};

export const membersKind = {
  slug: 'members', title: 'Members', one: 'member', scope: 'ADMIN', path: '/v1/members', row: 'data-member',
  name: (one) => `${one.project ?? ''}/${one.subject}`, rowName: (one) => one.subject,
  columns: [
    { label: 'Member', value: (one) => one.subject },
    projectColumn,
    { label: 'Role', value: (one) => words(one.role), filter: true },
    time('Since', (one) => one.created),
  ],
  empty: 'There are no members: only keys open this backend.',
  fields: [
    { name: 'subject', label: 'Member', required: true, max: 200, fixed: true, hint: 'The name of the person at the issuer, such as oidc:ada, or an address.' },
    ofProject,
    { name: 'role', label: 'Role', type: 'select', choices: ['VIEWER', 'DEVELOPER', 'ADMIN'], required: true },
  ],
  create: (values, item) => send('PUT', `/v1/members/${path(values.subject)}${query({ project: values.project })}`, { role: values.role }, item?.version ?? 0),
  isEditable: true,
  remove: (one) => removal(
    'Remove',
    `${one.subject} is no member of ${one.project ?? 'the organisation'} any more. Keys of this member open nothing.`,
    () => send('DELETE', `/v1/members/${path(one.subject)}${query({ project: one.project })}`, undefined, one.version)),
};

const isOver = (key) => Boolean(key.expires) && Date.parse(key.expires) <= Date.now();

const keyState = (one) => (one.revoked ? 'revoked' : one.expires ? `${isOver(one) ? 'expired' : 'until'} ${clock(one.expires)}` : 'holds');

export const keysKind = {
  slug: 'keys', title: 'Keys', one: 'key', scope: 'ADMIN', reads: 'ADMIN', path: '/v1/keys', row: 'data-key',
  name: (one) => one.id,
  columns: [
    { label: 'Key', value: (one) => one.name },
    { label: 'Id', value: (one) => one.id, show: (one) => html`<span class="id">${one.id}</span>` },
    projectColumn,
    { label: 'Member', value: (one) => one.member ?? '-' },
    { label: 'Scopes', value: (one) => one.scopes.map(words).join(', ') },
    time('Created', (one) => one.created),
    { label: 'State', value: keyState },
  ],
  empty: 'There are no keys.',
  fields: [
    { name: 'name', label: 'Name', required: true, max: 200, hint: 'What the key is for.' },
    ofProject,
    { name: 'member', label: 'Member', max: 200, fixed: true, hint: "The owner of the key, if any: the member's role limits it." },
    { name: 'scopes', label: 'Scopes', type: 'checks', choices: ['READ', 'MACHINES', 'ADMIN', 'OPERATOR'], initial: ['READ', 'MACHINES'] },
    { name: 'expires', label: 'Expires (UTC)', type: 'time', hint: 'Never if empty.' },
  ],
  create: async (values, item) => {
    if (item) return send('PUT', `/v1/keys/${path(item.id)}`, values, item.version).then(() => null);
    const made = await send('POST', '/v1/keys', values);
    return { title: `The key ${made.name}`, once: made.key };
  },
  isEditable: true,
  isChangeable: (one) => !one.revoked && !one.replacedBy && !isOver(one),
  actions: (one) => (one.revoked ? [] : [removal('Revoke', `Key ${one.name} opens nothing any more.`,
    () => send('DELETE', `/v1/keys/${path(one.id)}`, undefined, one.version))]),
  offer: (one) => (one.revoked || one.replacedBy || isOver(one) ? null : {
    action: 'rotate', label: 'Rotate', title: `Rotate key ${one.name}`,
    note: 'You get a new key with the same rights. The old key stays valid for some time, in which programs change to the new one.',
    fields: [periodField('overlap', 'The old key stays valid for', 'Such as PT2H; a day if empty.')],
    save: async (values) => {
      const made = await send('POST', `/v1/keys/${path(one.id)}:rotate`, values);
      return { title: `The key ${made.name}`, once: made.key };
    },
  }),
};

/** The removal of a price that is not valid yet. A price that is valid is the base of charges, and stays. */
const withdrawal = (price, address) => (Date.parse(price.from) <= Date.now() ? []
  : [removal('Remove', `The price from ${clock(price.from)} (UTC) on is removed.`, () => send('DELETE', address))]);

const RESOURCES = ['GPUS', 'MACHINES', 'GPU_HOURS_PER_MONTH', 'TOKENS_PER_MONTH', 'STORED_BYTES'];

export const quotasKind = {
  slug: 'quotas', title: 'Quotas', one: 'quota', scope: 'ADMIN', path: '/v1/quotas', row: 'data-quota',
  name: (one) => one.name,
  columns: [
    { label: 'Quota', value: (one) => one.name },
    projectColumn,
    amount('Used', (one) => one.used),
    amount('Allowed', (one) => one.allowed),
    amount('Left', (one) => one.left),
    { label: 'Share used', show: (one) => html`<meter min="0" max=${Math.max(1, one.allowed)} value=${one.used} aria-label=${`Share used of ${one.name}`}>${one.used} of ${one.allowed}</meter>` },
  ],
  empty: 'No quotas are set: nothing is limited.',
  fields: [
    { name: 'resource', label: 'Resource', type: 'select', choices: RESOURCES, required: true, fixed: true },
    ofProject,
    { name: 'gpu', label: 'GPU', choices: gpus, fixed: true, hint: 'A kind of GPU; all kinds together if empty.' },
    { name: 'allowed', label: 'Allowed', type: 'number', min: 0, required: true, hint: 'In the unit of the resource.' },
  ],
  create: (values, item) => send('PUT', '/v1/quotas', values, item?.version ?? 0),
  isEditable: true,
  isChangeable: (one) => !one.name.startsWith('operator'),
  remove: (one) => removal(
    'Remove', `Quota ${one.name} limits nothing any more.`,
    () => send('DELETE', `/v1/quotas${query({ project: one.project, resource: one.resource, gpu: one.gpu })}`, undefined, one.version)),
};

const thresholdText = (one) => `${words(one.action)} at ${one.percent} %`;

function thresholds(lines) {
  return lines.length === 0 ? undefined : lines.map((line) => {
    const [, percent, action] = line.match(/^(\d{1,3})\s*%?\s+(notify|refuse|end)$/i) ?? [];
    if (!action) throw new Error(`Thresholds: expected lines such as 80 notify, got ${line}`);
    return { percent: Number(percent), action: action.toUpperCase() };
  });
}

export const budgetsKind = {
  slug: 'budgets', title: 'Budgets', one: 'budget', scope: 'ADMIN', path: '/v1/budgets', row: 'data-budget',
  name: (one) => one.name,
  columns: [
    { label: 'Budget', value: (one) => one.name },
    { ...amount('Spent', (one) => money(one.spentNanos)), sortBy: (one) => one.spentNanos },
    amount('Cap', (one) => one.cap),
    { label: 'Share spent', show: (one) => html`<meter min="0" max=${Math.max(1, one.cap * 1e9)} value=${one.spentNanos} aria-label=${`Share spent of ${one.name}`}>${money(one.spentNanos)}</meter>` },
    { label: 'What is left', value: (one) => one.text },
    { label: 'What happens', value: (one) => one.thresholds.map(thresholdText).join(', ') },
  ],
  empty: 'No budgets are set: nothing bounds the costs.',
  fields: [
    { name: 'period', label: 'Period', type: 'select', choices: ['DAY', 'WEEK', 'MONTH', 'LIFETIME'], required: true, fixed: true },
    { name: 'cap', label: 'Cap', type: 'number', min: 0, step: 'any', required: true, hint: 'In units of the currency.' },
    ofProject,
    { name: 'key', label: 'Key', fixed: true, hint: 'The id of the key whose requests it covers; all keys if empty.' },
    {
      name: 'thresholds', label: 'Thresholds', type: 'lines', of: (one) => one.thresholds.map((at) => `${at.percent} ${words(at.action)}`),
      initial: ['80 notify', '100 end'], hint: 'Lines such as 80 notify, 90 refuse or 100 end.',
    },
  ],
  body: (values) => ({ ...values, thresholds: thresholds(values.thresholds) }),
  create: (values, item) => send('PUT', '/v1/budgets', budgetsKind.body(values), item?.version ?? 0),
  isEditable: true,
  isChangeable: (one) => !one.name.startsWith('operator'),
  remove: (one) => removal(
    'Remove', `Budget ${one.name} bounds nothing any more.`,
    () => send('DELETE', `/v1/budgets${query({ project: one.project, key: one.key, period: one.period })}`, undefined, one.version)),
};

/** The operator's limits of an organisation, which its administrators see and cannot change. */
const ofOperator = (kind, part, organisation, key) => {
  const address = `/v1/organisations/${path(organisation)}/${part}`;
  return {
    ...kind, title: `The operator's ${part} of ${organisation}`, scope: 'OPERATOR', path: address,
    columns: kind.columns.filter((column) => column !== projectColumn),
    empty: `The operator has set no ${part} for ${organisation}.`,
    fields: kind.fields.filter((field) => !['project', 'key'].includes(field.name)),
    create: (values, item) => send('PUT', address, kind.body ? kind.body(values) : values, item?.version ?? 0),
    isChangeable: () => true,
    remove: (one) => removal('Remove', `${kind.title.slice(0, -1)} ${one.name} of ${organisation} is removed.`,
      () => send('DELETE', `${address}${query(key(one))}`, undefined, one.version)),
  };
};
export const quotasOf = (organisation) => ofOperator(quotasKind, 'quotas', organisation, (one) => ({ resource: one.resource, gpu: one.gpu }));
export const budgetsOf = (organisation) => ofOperator(budgetsKind, 'budgets', organisation, (one) => ({ period: one.period }));

export const pricesKind = {
  slug: 'prices', title: 'Prices of GPUs', one: 'price', scope: 'OPERATOR', path: '/v1/prices',
  name: (one) => `${one.gpu}/${one.from}`,
  columns: [
    { label: 'GPU', value: (one) => one.gpu, filter: true },
    amount('An hour', (one) => one.perHour),
    { label: 'Currency', value: (one) => one.currency ?? '-' },
    time('Valid from', (one) => one.from),
  ],
  empty: 'There are no prices: machines cost nothing.',
  fields: [gpuField, { name: 'perHour', label: 'Price of an hour', type: 'number', min: 0, step: 'any', required: true }, fromField],
  create: (values) => send('PUT', '/v1/prices', values),
  actions: (one) => withdrawal(one, `/v1/prices${query({ gpu: one.gpu, from: one.from })}`),
};

const perMillion = (name, label) => ({ name, label, type: 'number', min: 0, step: 'any' });

export const tokenPricesKind = {
  slug: 'token-prices', title: 'Prices of tokens', one: 'token price', scope: 'OPERATOR',
  list: async () => ({ items: (await read('/v1/token-prices')).items, more: false }),
  name: (one) => `${one.model}/${one.from}`,
  columns: [
    { label: 'Model', value: (one) => one.model, filter: true },
    amount('Million prompt tokens', (one) => one.perMillionPrompt),
    amount('Million cached tokens', (one) => one.perMillionCached),
    amount('Million new tokens', (one) => one.perMillionNew),
    amount('A second', (one) => one.perSecond),
    { label: 'Currency', value: (one) => one.currency ?? '-' },
    time('Valid from', (one) => one.from),
  ],
  empty: 'There are no prices: tokens cost nothing.',
  fields: [
    { name: 'model', label: 'Model', required: true, max: 200 },
    perMillion('perMillionPrompt', 'A million prompt tokens'),
    perMillion('perMillionCached', 'A million cached prompt tokens'),
    perMillion('perMillionNew', 'A million new tokens'),
    perMillion('perSecond', 'A second of generating'),
    fromField,
  ],
  create: (values) => send('PUT', '/v1/token-prices', values),
  actions: (one) => withdrawal(one, `/v1/token-prices${query({ model: one.model, from: one.from })}`),
};

const CLUSTER_STATES = {
  ACTIVE: ['Activate', 'takes new machines again'],
  CORDONED: ['Cordon', 'takes no new machines, and keeps those it has'],
  DRAINING: ['Drain', 'takes no new machines, and ends those it has'],
};

/** A worker host reports by itself; the backend observes other clusters. */
function heardOrSeen(cluster) {
  const at = cluster.provider === 'worker' ? cluster.worker?.heard : cluster.observed;
  return at ? `${age(at)} ago` : 'never';
}

export const clustersKind = {
  slug: 'clusters', title: 'Clusters and worker hosts', nav: 'Clusters', one: 'cluster', scope: 'OPERATOR', reads: 'OPERATOR', path: '/v1/clusters', row: 'data-cluster',
  name: (one) => one.name,
  columns: [
    { label: 'Cluster', value: (one) => one.name },
    { label: 'Provider', value: (one) => one.provider, filter: true },
    { label: 'State', value: (one) => words(one.away ? 'away' : one.state), show: (one) => html`<${State} name=${one.away ? 'away' : one.state} />`, filter: true },
    { label: 'GPUs', value: (one) => (one.gpus.length === 0 ? 'every kind' : one.gpus.join(', ')) },
    { ...amount('Machines', (one) => `${one.used} of ${one.machines ?? 'any number'}`), sortBy: (one) => one.used },
    { label: 'Worker host', value: (one) => (one.worker ? `${one.worker.host}, outpost ${one.worker.program}` : '-') },
    { label: 'Heard or seen', value: heardOrSeen },
    { label: 'Relay', value: (one) => one.relay ?? '-' },
    { label: 'Trouble', value: (one) => one.trouble ?? '' },
  ],
  empty: 'There are no clusters: no machine can start.',
  fields: [
    nameField,
    { name: 'provider', label: 'Provider', required: true, fixed: true, choices: ['worker', 'k8s', 'process'], hint: 'worker is a host that joins with a code.' },
    { name: 'gpus', label: 'GPUs', type: 'list', hint: 'Kinds, separated by commas; every kind if empty.' },
    { name: 'machines', label: 'Machines', type: 'number', min: 0, hint: 'No limit if empty.' },
    { name: 'relay', label: 'Relay', placeholder: 'relay.example.com:7443', hint: 'host:port at which clients reach its machines.' },
    { name: 'options', label: 'Options of the provider', type: 'pairs', of: () => [], hint: 'Lines such as namespace=outpost. The backend does not show present values; they stay if this is empty.' },
  ],
  create: (values, item) => send('PUT', `/v1/clusters/${path(values.name)}`, {
    provider: values.provider, gpus: values.gpus, machines: values.machines, relay: values.relay ?? (item ? '' : undefined),
    options: Object.keys(values.options).length > 0 ? values.options : undefined,
  }, item?.version ?? 0),
  isEditable: true,
  actions: (one) => [
    ...Object.entries(CLUSTER_STATES).filter(([state]) => state !== one.state).map(([state, [label, effect]]) => ({
      label, question: `Cluster ${one.name} ${effect}.`, act: () => send('PUT', `/v1/clusters/${path(one.name)}`, { state }, one.version),
    })),
    removal('Remove', `Cluster ${one.name} is removed.`, () => send('DELETE', `/v1/clusters/${path(one.name)}`, undefined, one.version)),
  ],
  offer: (one) => (one.provider !== 'worker' ? null : {
    action: 'pair', label: 'Pair a host', title: `Pair a host as ${one.name}`,
    note: 'A new code lets one host join. The previous host stays until then.', fields: [], save: () => pairingCode(one),
  }),
};

/** A code by which a worker host joins. */
async function pairingCode(cluster) {
  const made = await send('POST', `/v1/clusters/${path(cluster.name)}:pair`);
  return { title: `The code of worker host ${cluster.name}, valid until ${clock(made.until)} UTC; ./outpost worker --join ${location.origin} asks for it`, once: made.code };
}

export const poolsKind = {
  slug: 'pools', title: 'Warm pools', nav: 'Pools', one: 'pool', scope: 'OPERATOR', reads: 'OPERATOR', path: '/v1/pools', row: 'data-pool',
  name: (one) => one.name,
  columns: [
    { label: 'Pool', value: (one) => one.name },
    { label: 'GPU', value: (one) => one.gpu, filter: true },
    { label: 'Machines that wait', value: (one) => `${one.members.filter((member) => member.phase === 'READY').length} of ${one.min} to ${one.max}`, number: true },
    { label: 'What it does', value: (one) => one.text },
  ],
  empty: 'There are no pools: each machine starts anew.',
  fields: [
    nameField, gpuField,
    { name: 'min', label: 'Machines at least', type: 'number', min: 0, initial: 0 },
    { name: 'max', label: 'Machines at most', type: 'number', min: 1 },
    periodField('idle', 'Period of claims', 'As many machines wait as requests have taken in this period, such as PT10M.'),
    periodField('lease', 'Lease', 'The lease of the requests that get its machines; PT1M if empty.'),
    { name: 'paused', label: 'Paused: no machine waits', type: 'checkbox' },
  ],
  create: ({ name, ...values }, item) => send('PUT', `/v1/pools/${path(name)}`, values, item?.version ?? 0),
  isEditable: true,
  actions: (one) => [
    {
      label: one.paused ? 'Resume' : 'Pause',
      question: one.paused
        ? `Pool ${one.name} starts machines again, at least ${one.min}.`
        : `Pool ${one.name} ends the machines that wait. Requests start cold.`,
      act: () => send('PUT', `/v1/pools/${path(one.name)}`, { gpu: one.gpu, min: one.min, max: one.max, idle: one.idle, lease: one.lease, paused: !one.paused }, one.version),
    },
    removal('Remove', `Pool ${one.name} is removed, and its machines end.`, () => send('DELETE', `/v1/pools/${path(one.name)}`, undefined, one.version)),
  ],
};

export const secretsKind = {
  slug: 'secrets', title: 'Secrets', one: 'secret', scope: 'MACHINES', row: 'data-secret',
  // The API lists the secrets of one project.
  list: async () => {
    const own = currentSession().project;
    const lists = await Promise.all((own ? [own] : await projects()).map((project) => readList(`/v1/secrets${query({ project })}`)));
    return { items: lists.flatMap((list) => list.items), more: lists.some((list) => list.more) };
  },
  name: (one) => `${one.project}/${one.name}`,
  columns: [
    { label: 'Secret', value: (one) => one.name, show: (one) => html`<span class="id">${one.name}</span>` },
    projectColumn,
    amount('Version', (one) => one.version),
    time('Changed', (one) => one.changed),
  ],
  empty: 'There are no secrets. Jobs get them as environment variables.',
  fields: [
    { name: 'name', label: 'Name', required: true, pattern: '[A-Za-z_][A-Za-z0-9_]*', hint: 'The name of a variable, such as HF_TOKEN.', fixed: true },
    projectField,
    { name: 'value', label: 'Value', type: 'password', required: true, hint: 'The backend seals it and never shows it again.', of: () => '' },
  ],
  create: (values, item) => send('PUT', `/v1/secrets/${path(values.name)}`, { project: values.project, value: values.value }, item?.version ?? 0),
  isEditable: true,
  remove: (one) => removal('Remove', `Secret ${one.name} of ${one.project} is removed. Jobs that name it fail.`,
    () => send('DELETE', `/v1/secrets/${path(one.name)}${query({ project: one.project })}`, undefined, one.version)),
};

export const webhooksKind = {
  slug: 'webhooks', title: 'Webhooks', one: 'webhook', scope: 'ADMIN', reads: 'ADMIN', path: '/v1/webhooks', row: 'data-webhook',
  name: (one) => one.id,
  columns: [
    { label: 'URL', value: (one) => one.url, show: (one) => html`<a href=${`#/webhooks/${one.id}`}>${one.url}</a>` },
    projectColumn,
    { label: 'Events', value: (one) => (one.types.length === 0 ? 'all' : one.types.join(', ')) },
    { label: 'State', value: (one) => (one.paused ? 'paused' : 'active'), show: (one) => html`<${State} name=${one.paused ? 'paused' : 'active'} />`, filter: true },
    time('Created', (one) => one.created),
  ],
  empty: 'There are no webhooks: the backend sends events to no other system.',
  fields: [
    { name: 'url', label: 'URL', required: true, max: 2000, placeholder: 'https://example.com/outpost' },
    ofProject,
    { name: 'types', label: 'Events', type: 'list', hint: 'Beginnings such as job. or machine.ended; all events if empty.' },
    { name: 'paused', label: 'Paused: no events are sent', type: 'checkbox' },
  ],
  create: async (values, item) => {
    const made = await send('PUT', `/v1/webhooks/${item?.id ?? drawId()}`, values, item?.version ?? 0);
    return made.secret ? { title: 'The secret that signs its deliveries', once: made.secret } : null;
  },
  isEditable: true,
  remove: (one) => removal('Remove', `No events go to ${one.url} any more.`, () => send('DELETE', `/v1/webhooks/${one.id}`, undefined, one.version)),
};

export const schedulesKind = {
  slug: 'schedules', title: 'Schedules', one: 'schedule', scope: 'MACHINES', path: '/v1/schedules', row: 'data-schedule',
  name: (one) => one.name,
  columns: [
    { label: 'Schedule', value: (one) => one.name },
    projectColumn,
    { label: 'Times', value: (one) => `${one.cron} (${one.zone})`, show: (one) => html`<span class="id">${one.cron}</span> ${one.zone}` },
    time('Next', (one) => one.next),
    { label: 'Program', value: (one) => [one.programName, ...one.arguments].join(' ') },
    { label: 'GPU', value: (one) => one.gpu, filter: true },
    { label: 'State', value: (one) => (one.paused ? 'paused' : 'active'), show: (one) => html`<${State} name=${one.paused ? 'paused' : 'active'} />`, filter: true },
    { label: 'Last job', value: (one) => one.lastJob ?? '-', show: (one) => (one.lastJob ? html`<a class="id" href=${`#/jobs/${one.lastJob}`}>${one.lastJob.slice(0, 8)}</a>` : '-') },
    { label: 'Last time', value: (one) => one.text },
  ],
  empty: 'There are no schedules.',
  fields: [
    nameField, projectField,
    { name: 'cron', label: 'Times', required: true, placeholder: '0 3 * * *', hint: 'Minute, hour, day of month, month, day of week.' },
    { name: 'zone', label: 'Time zone', initial: 'UTC', hint: 'Such as Europe/Berlin.' },
    { name: 'missed', label: 'Missed times', type: 'select', choices: ['SKIP', 'ONCE', 'ALL'], required: true, hint: 'What happens to times at which no backend ran.' },
    { name: 'overlap', label: 'Start also while the last job runs', type: 'checkbox' },
    { name: 'paused', label: 'Paused: no jobs are made', type: 'checkbox' },
    ...JOB,
  ],
  create: async (values, item, onProgress) => send('PUT', `/v1/schedules/${path(values.name)}`, {
    cron: values.cron, zone: values.zone, missed: values.missed, overlap: values.overlap, paused: values.paused, job: await jobOf(values, onProgress, item),
  }, item?.version ?? 0),
  isEditable: true,
  remove: (one) => removal('Remove', `Schedule ${one.name} makes no jobs any more. Jobs that run go on.`, () => send('DELETE', `/v1/schedules/${path(one.name)}`, undefined, one.version)),
};

export const OVER = ['SUCCEEDED', 'FAILED', 'CANCELLED'];

export const cancelJob = (job) => ({
  label: 'Cancel', question: `Job ${job.name ?? job.id.slice(0, 8)} is cancelled. Its program has to end, and it does not run again.`,
  act: () => send('POST', `/v1/jobs/${job.id}:cancel`),
});

export const jobsKind = {
  slug: 'jobs', title: 'Jobs', one: 'job', scope: 'MACHINES', path: '/v1/jobs', row: 'data-job',
  name: (one) => one.id, attributes: (one) => ({ 'data-phase': one.phase }),
  columns: [
    { label: 'Job', value: (one) => one.id, show: (one) => html`<a href=${`#/jobs/${one.id}`} class="id">${one.id.slice(0, 8)}</a>` },
    { label: 'Name', value: (one) => one.name ?? one.programName ?? '-' },
    { label: 'State', value: (one) => words(one.phase), show: (one) => html`<${State} name=${one.phase} />`, filter: true },
    { label: 'GPU', value: (one) => one.gpu, filter: true },
    { label: 'Owner', value: (one) => one.owner },
    projectColumn,
    { label: 'Age', value: (one) => age(one.created), sortBy: (one) => -Date.parse(one.created), number: true },
    { label: 'Run', value: (one) => `${one.attempt} of ${one.retries + 1}`, number: true },
    { label: 'What it does or waits for', value: (one) => one.text },
  ],
  empty: 'There are no jobs.',
  fields: [{ name: 'jobName', label: 'Name', max: 200, hint: 'The file name of the program if empty.' }, projectField, ...JOB],
  create: async (values, item, onProgress) => send('PUT', `/v1/jobs/${drawId()}`, await jobOf(values, onProgress)).then(() => null),
};

export const rollBack = (deployment) => ({
  label: 'Roll back',
  question: `Deployment ${deployment.name} goes back to the revision before ${deployment.revision}. Streams that run end whole.`,
  act: () => send('POST', `/v1/deployments/${path(deployment.name)}:rollback`, {}, deployment.version),
});

export const deploymentsKind = {
  slug: 'deployments', title: 'Deployments', one: 'deployment', scope: 'MACHINES', path: '/v1/deployments', row: 'data-deployment',
  name: (one) => one.name,
  columns: [
    { label: 'Deployment', value: (one) => one.name, show: (one) => html`<a href=${`#/deployments/${one.name}`}>${one.name}</a>` },
    projectColumn,
    amount('Revision', (one) => one.revision),
    { ...amount('Replicas', (one) => `${one.wanted} of ${one.min} to ${one.max}`), sortBy: (one) => one.wanted },
    { label: 'What it does', value: (one) => one.text },
  ],
  empty: 'There are no deployments.',
  fields: [
    nameField, projectField,
    { name: 'model', label: 'Model', required: true, max: 2000, placeholder: 'hf://HuggingFaceTB/SmolLM2-135M-Instruct', hint: 'hf://, s3:// or file:/ and the folder of the model.' },
    gpuField,
    { name: 'dtype', label: 'Dtype of the weights', choices: ['float32', 'float16', 'bfloat16'], hint: 'The dtype in the file if empty.' },
    ...SCALE,
  ],
  create: ({ name, ...values }, item) => send('PUT', `/v1/deployments/${path(name)}`, values, item?.version ?? 0),
  /** The list does not say the model; it is of the latest revision. */
  details: async (one) => {
    const whole = await read(`/v1/deployments/${path(one.name)}`);
    const revision = whole.revisions.find((made) => made.number === whole.revision) ?? {};
    return { ...whole, model: revision.model, gpu: revision.gpu, dtype: revision.dtype };
  },
  isEditable: true,
  remove: (one) => removal('Remove', `Deployment ${one.name} is removed, and its replicas end.`, () => send('DELETE', `/v1/deployments/${path(one.name)}`)),
};

export const programsKind = {
  slug: 'programs', title: 'Programs', one: 'program', scope: 'MACHINES', path: '/v1/programs', row: 'data-program',
  name: (one) => one.name,
  columns: [
    { label: 'Program', value: (one) => one.name },
    projectColumn,
    { label: 'GPU', value: (one) => one.gpu, filter: true },
    { label: 'Inputs', value: (one) => one.inputs.join(', '), show: (one) => html`<span class="id">${one.inputs.join(', ')}</span>` },
    { label: 'Outputs', value: (one) => one.outputs.join(', '), show: (one) => html`<span class="id">${one.outputs.join(', ')}</span>` },
    amount('Rows of a batch', (one) => one.mostRows),
    { label: 'What it does', value: (one) => one.text },
  ],
  empty: 'There are no served programs. machine.publish serves one.',
  /** A program publishes it: only its GPU and its replicas are changed here. */
  isMadeElsewhere: true,
  fields: [gpuField, ...SCALE],
  create: (values, { name, project, file, inputs, outputs, mostRows, version }) => send(
    'PUT', `/v1/programs/${path(name)}`, { project, file, inputs, outputs, mostRows, ...values }, version),
  /** Replicas and version are of the deployment. */
  details: async (one) => {
    const { min, max, target, idle, version } = await read(`/v1/deployments/${path(one.name)}`);
    return { ...one, min, max, target, idle, version };
  },
  isEditable: true,
  remove: (one) => removal('Remove', `Program ${one.name} is not served any more, and its replicas end.`, () => send('DELETE', `/v1/programs/${path(one.name)}`)),
};

export const auditKind = {
  slug: 'audit', title: 'Audit', reads: 'ADMIN', path: '/v1/audit',
  columns: [
    time('When', (one) => one.at),
    { label: 'Key', value: (one) => one.actor },
    { label: 'What was done', value: (one) => one.action, filter: true },
    { label: 'To', value: (one) => one.target },
    { label: 'Detail', value: (one) => one.detail },
  ],
  empty: 'Nothing was changed yet.',
};

export const failuresKind = {
  slug: 'failures', title: 'Failures of the backend', nav: 'Failures', reads: 'OPERATOR', path: '/v1/failures',
  name: (one) => `${one.loop}/${one.row}`,
  columns: [
    { label: 'Loop', value: (one) => one.loop, filter: true },
    { label: 'Row', value: (one) => one.row },
    amount('Failures', (one) => one.failures),
    { label: 'Reason', value: (one) => one.text },
    time('Since', (one) => one.since),
    time('Next attempt', (one) => one.retry),
  ],
  empty: 'The loops of the backend work on all rows.',
};

/** Buttons for an item: the kind's actions, and its removal. */
export const actionsOf = (kind, item) => [...(kind.actions?.(item) ?? []), ...(kind.remove && (kind.isChangeable?.(item) ?? true) ? [kind.remove(item)] : [])];

export const Buttons = ({ actions }) => actions.map((one) => html`<${Action} key=${one.label} ...${one} />`);
