// The login by the issuer of the backend: the authorization code flow with PKCE (RFC 7636). The backend exchanges the code for a key;
// what proves that this tab has asked for it never leaves the tab before that.

import { key, open, send } from './api.js';

const PENDING = 'outpost-login';
const BYTES = 32;

const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const draw = () => base64url(crypto.getRandomValues(new Uint8Array(BYTES)));
const redirect = () => `${location.origin}/`;

/** The issuer, where there is one by which a browser can log in. */
export async function issuer() {
  const found = await open('GET', '/v1/identity').then((answer) => answer.json()).catch(() => null);
  return found?.authorizationEndpoint ? found : null;
}

/** Leaves the page for the issuer's. */
export async function begin(found, organisation) {
  if (!crypto.subtle) {
    throw new Error('A login by the issuer needs HTTPS; open the dashboard by its https address.');
  }
  const pending = { state: draw(), verifier: draw(), nonce: draw(), organisation };
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier)));
  const to = new URL(found.authorizationEndpoint);
  const parameters = {
    response_type: 'code', client_id: found.clientId, redirect_uri: redirect(), scope: 'openid email profile groups',
    state: pending.state, nonce: pending.nonce, code_challenge: base64url(digest), code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) to.searchParams.set(name, value);
  location.assign(to);
}

/** Takes up a login that comes back from the issuer. False where none does. */
export async function complete() {
  const said = new URLSearchParams(location.search);
  if (!said.has('state')) return false;
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? '{}');
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, '', '/');
  if (!pending.state || said.get('state') !== pending.state) {
    throw new Error('The login was not begun in this tab; log in again.');
  }
  if (!said.has('code')) {
    throw new Error(`The issuer has refused the login: ${said.get('error_description') ?? said.get('error') ?? 'it gave no code'}`);
  }
  const body = { code: said.get('code'), verifier: pending.verifier, redirect: redirect(), nonce: pending.nonce };
  const answer = await open('POST', '/v1/identity/code', pending.organisation ? { ...body, organisation: pending.organisation } : body);
  key.keep((await answer.json()).key, true);
  return true;
}

/** Has the backend forget the key of a login, and leads to where the issuer forgets its session. */
export async function end(found) {
  await send('POST', '/v1/identity/logout');
  key.forget();
  if (found?.endSessionEndpoint) {
    const to = new URL(found.endSessionEndpoint);
    to.searchParams.set('client_id', found.clientId);
    to.searchParams.set('post_logout_redirect_uri', redirect());
    location.assign(to);
  }
}
