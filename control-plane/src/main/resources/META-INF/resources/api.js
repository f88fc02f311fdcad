// Requests to the API. The browser sends the cookie of the session by itself; the session's token, which only pages of this backend
// can read, goes with each request that changes state.

let session = null;

export class Refusal extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** The session of this browser: the organisation, the rights and the token. Null if the user has to log in. */
export const currentSession = () => session;

export const may = (scope) => session?.scopes.includes(scope) ?? false;

async function request(path, options = {}) {
  const response = await fetch(path, { credentials: 'same-origin', ...options });
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Refusal(response.status, problem.detail ?? `the backend answered with status ${response.status}`);
}

export const ask = (path, accept = 'application/json', signal = undefined) => request(path, { headers: { Accept: accept }, signal });

export const read = async (path) => (await ask(path)).json();

/** The answer's object; null if the answer has no content. */
async function content(response) {
  const text = await response.text();
  return text === '' ? null : JSON.parse(text);
}

/** The longest list that a page reads: 5 pages of 200. */
const PAGES = 5;

/** Reads a list. {@code more} is true if the list has more items than a page shows. */
export async function readList(path) {
  const first = `${path}${path.includes('?') ? '&' : '?'}limit=200`;
  let page = await read(first);
  const items = [...page.items];
  for (let count = 1; page.next && count < PAGES; count++) {
    page = await read(`${first}&cursor=${encodeURIComponent(page.next)}`);
    items.push(...page.items);
  }
  return { items, more: Boolean(page.next) };
}

/** @param version the version that the change is based on, if the API checks it */
export async function send(method, path, body = undefined, version = undefined) {
  const headers = { Accept: 'application/json' };
  if (session) headers['X-CSRF-Token'] = session.csrfToken;
  if (body !== undefined) headers['Content-Type'] = body instanceof Blob ? 'application/octet-stream' : 'application/json';
  if (version !== undefined) headers['If-Match'] = `"${version}"`;
  const encoded = body === undefined || body instanceof Blob ? body : JSON.stringify(body);
  return content(await request(path, { method, headers, body: encoded }));
}

export async function loadSession() {
  session = await content(await ask('/v1/session'));
  return session;
}

/** @param body a key, or a code of the issuer */
export async function beginSession(body) {
  session = await send('POST', '/v1/session', body);
  return session;
}

export async function endSession() {
  await send('DELETE', '/v1/session');
  session = null;
}

/** Forgets a session that the backend does not accept any more. */
export function forgetSession() {
  session = null;
}

/** Draws the id of a new item; crypto.randomUUID is not there without HTTPS. */
export function drawId() {
  const drawn = crypto.getRandomValues(new Uint8Array(16));
  drawn[6] = (drawn[6] & 0x0f) | 0x40;
  drawn[8] = (drawn[8] & 0x3f) | 0x80;
  const hex = [...drawn].map((one) => one.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Saves a file that the backend sends in parts.
 *
 * @param path the address of a part without its offset
 */
export async function save(path, size, name) {
  const parts = [];
  let next = 0;
  while (next < size) {
    const answer = await ask(`${path}&from=${next}`, 'application/octet-stream');
    const part = await answer.blob();
    if (part.size === 0) throw new Error(`${name}: the backend has only ${next} of ${size} bytes`);
    parts.push(part);
    const following = Number(answer.headers.get('Outpost-Next'));
    if (!(following > next)) throw new Error(`${name}: the backend has not said where the next part begins`);
    next = following;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const PART = 128 * 1024;

/** Sends a file in parts. Returns its SHA-256, in hex. */
export async function upload(file, onProgress = () => {}) {
  if (!crypto.subtle) throw new Error('Files can be sent over HTTPS and from localhost only; use ./outpost submit.');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  const sha256 = [...digest].map((one) => one.toString(16).padStart(2, '0')).join('');
  let state = { next: 0, complete: false };
  while (!state.complete) {
    state = await send('PUT', `/v1/files/${sha256}?size=${file.size}&from=${state.next}`, file.slice(state.next, state.next + PART));
    onProgress(state.next / file.size);
  }
  return sha256;
}
