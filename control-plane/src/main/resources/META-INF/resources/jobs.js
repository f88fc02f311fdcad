// The pages of jobs: all that the key sees, and one with its runs, events, artefacts and log.

import { cancelJob } from './actions.js';
import { ask, read } from './api.js';
import { age, bytes, clock, element, link, state, table } from './elements.js';

const LOG_LINES = 500;
const OVER = ['SUCCEEDED', 'FAILED', 'CANCELLED'];

const jobLink = (id) => element('a', { href: `#/jobs/${id}`, class: 'id' }, id.slice(0, 8));

export async function jobs() {
  const page = await read('/v1/jobs?limit=200');
  const rows = page.items.map((job) => ({
    attributes: { 'data-job': job.id, 'data-phase': job.phase },
    cells: [
      jobLink(job.id), job.name ?? job.programName ?? '-', state(job.phase), job.gpu, job.owner, job.project, age(job.created),
      `${job.attempt} of ${job.retries + 1}`, job.text,
    ],
  }));
  return [
    element('h2', {}, 'Jobs'),
    table(
      'jobs',
      [['Job'], ['Name'], ['State'], ['GPU'], ['Owner'], ['Project'], ['Age', 'number'], ['Run', 'number'], ['What it does or waits for']],
      rows,
      'There are no jobs. ./outpost submit --gpu any -- app.jar runs one.'),
    ...(page.next ? [element('p', { class: 'soft' }, 'Only the newest 200 are shown.')] : []),
  ];
}

export async function job(id) {
  const [one, artefacts] = await Promise.all([read(`/v1/jobs/${id}`), read(`/v1/jobs/${id}/artefacts`)]);
  const log = await ask(`/v1/jobs/${id}/log`, 'text/plain').then((answer) => answer.text()).catch((none) => none.message);
  const facts = [
    ['State', state(one.phase)],
    ['What it does or waits for', one.text],
    ['Program', [one.programName, ...(one.arguments ?? [])].join(' ')],
    ['GPU', one.gpu],
    ['Owner', one.owner],
    ['Project', one.project],
    ['Machine', one.machine ? link(one.machine) : '-'],
    ['Exit code', one.exitCode === undefined ? '-' : String(one.exitCode)],
    ['Secrets by name', one.secrets?.join(', ') || '-'],
    ['Asked for (UTC)', clock(one.created)],
  ];
  return [
    element('h2', {}, `Job ${one.name ?? one.programName ?? ''} `, element('span', { class: 'id' }, one.id)),
    element('p', { class: 'actions' }, ...(OVER.includes(one.phase) ? [] : [cancelJob(one)])),
    element('dl', {}, ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)])),
    element('h2', {}, 'Runs'),
    table(
      'runs',
      [['Run'], ['Machine'], ['Begun (UTC)']],
      one.runs.map((run) => ({ cells: [String(run.number), link(run.machine), clock(run.begun)] })),
      'It has not run yet.'),
    element('h2', {}, 'Artefacts'),
    table(
      'artefacts',
      [['Path'], ['Run', 'number'], ['Size', 'number']],
      artefacts.map((file) => ({ cells: [file.path, String(file.run), bytes(file.size)] })),
      'It has kept no files.'),
    element('h2', {}, 'Events'),
    table(
      'events',
      [['When (UTC)'], ['State'], ['What happened']],
      one.events.map((event) => ({ cells: [clock(event.at), state(event.phase), event.text] })),
      'Nothing has happened yet.'),
    element('h2', {}, 'Log'),
    element('pre', { id: 'log', tabindex: '0' }, log.split('\n').slice(-LOG_LINES).join('\n') || 'It has printed nothing.'),
  ];
}
