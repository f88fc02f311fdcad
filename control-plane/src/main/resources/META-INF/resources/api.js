// Requests to the API with the key of whoever looks. The key is in this tab's session storage and in no cookie, so no other site
// can make a request with it.

const KEY = 'outpost-key';
const LOGIN = 'outpost-key-of-login';

export class Refusal extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

export const key = {
  isThere: () => sessionStorage.getItem(KEY) !== null,
  isOfLogin: () => sessionStorage.getItem(LOGIN) !== null,
  /** @param ofLogin whether logging out revokes it */
  keep: (text, ofLogin = false) => {
    sessionStorage.setItem(KEY, text);
    if (ofLogin) sessionStorage.setItem(LOGIN, 'yes');
    else sessionStorage.removeItem(LOGIN);
  },
  forget: () => {
    sessionStorage.removeItem(KEY);
    sessionStorage.removeItem(LOGIN);
  },
};

const request = (path, { headers, ...rest }) =>
  answered(path, { ...rest, headers: { Authorization: `Bearer ${sessionStorage.getItem(KEY)}`, ...headers } });

async function answered(path, options) {
  const response = await fetch(path, options);
  if (response.ok) {
    return response;
  }
  const problem = await response.json().catch(() => ({}));
  throw new Refusal(response.status, problem.detail ?? `the backend answered with status ${response.status}`);
}

export const ask = (path, accept = 'application/json', signal = undefined) => request(path, { headers: { Accept: accept }, signal });

export const read = async (path) => (await ask(path)).json();

/** @param version of what is changed, where the change must be of that one */
export function send(method, path, body = undefined, version = undefined) {
  const headers = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (version !== undefined) headers['If-Match'] = `"${version}"`;
  return request(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
}

/** A call that needs no key. */
export const open = (method, path, body = undefined) => answered(path, {
  method,
  headers: body === undefined ? { Accept: 'application/json' } : { Accept: 'application/json', 'Content-Type': 'application/json' },
  body: body === undefined ? undefined : JSON.stringify(body),
});
