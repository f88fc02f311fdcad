// The latest instructions of a machine's sessions, read from the machine on demand: ops and shapes, never values.

import { read } from './api.js';
import { element } from './elements.js';

const LIMIT = 200;

export async function instructions(id) {
  const answer = await read(`/v1/machines/${id}/instructions?limit=${LIMIT}`);
  const sessions = answer.sessions.flatMap((session) => [
    element('h3', {}, `Session ${session.number}`),
    element(
      'pre', { class: 'instructions', 'data-session': String(session.number), tabindex: '0', 'aria-label': `Session ${session.number}` },
      session.lines.join('\n') || 'It has run nothing yet.'),
  ]);
  return [
    element('h2', {}, 'Instructions of machine ', element('a', { href: `#/machines/${id}`, class: 'id' }, id.slice(0, 8))),
    element('p', { class: 'soft' }, `The latest ${LIMIT} of each open session, read from the machine as this page is shown.`),
    ...(sessions.length > 0 ? sessions : [element('p', { class: 'empty', id: 'instructions' }, 'No session is open.')]),
  ];
}
