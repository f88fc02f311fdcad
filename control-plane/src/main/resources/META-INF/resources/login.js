// The login: by a key, or by the issuer of the backend with the authorization code flow and PKCE (RFC 7636). The backend exchanges the
// code. The proof that this tab has requested the code stays in the tab until then.

import { ask, beginSession, currentSession, endSession } from './api.js';
import { html, useEffect, useState } from './html.js';

const PENDING = 'outpost-login';
const BYTES = 32;

const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const draw = () => base64url(crypto.getRandomValues(new Uint8Array(BYTES)));
const redirect = () => `${location.origin}/`;

/** The issuer; null if the backend has none that browsers can use. */
async function findIssuer() {
  const answer = await ask('/v1/identity?optional=true').catch(() => null);
  const found = answer?.status === 200 ? await answer.json() : null;
  return found?.authorizationEndpoint ? found : null;
}

/** Opens the page of the issuer. The page that the user wanted is opened after the login. */
async function begin(issuer, organisation) {
  if (!crypto.subtle) {
    throw new Error('A login by the issuer needs HTTPS; open the dashboard by its https address.');
  }
  const pending = { state: draw(), verifier: draw(), nonce: draw(), organisation, page: location.hash };
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier)));
  const to = new URL(issuer.authorizationEndpoint);
  const parameters = {
    response_type: 'code', client_id: issuer.clientId, redirect_uri: redirect(), scope: 'openid email profile groups',
    state: pending.state, nonce: pending.nonce, code_challenge: base64url(digest), code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) to.searchParams.set(name, value);
  location.assign(to);
}

/** Completes a login if the issuer has sent the browser back. */
export async function completeLogin() {
  const answer = new URLSearchParams(location.search);
  if (!answer.has('state')) return;
  const pending = JSON.parse(sessionStorage.getItem(PENDING) ?? '{}');
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, '', `/${pending.page ?? ''}`);
  if (!pending.state || answer.get('state') !== pending.state) {
    throw new Error('The login did not begin in this tab; log in again.');
  }
  if (!answer.has('code')) {
    throw new Error(`The issuer has refused the login: ${answer.get('error_description') ?? answer.get('error') ?? 'it gave no code'}`);
  }
  const code = { code: answer.get('code'), verifier: pending.verifier, redirect: redirect(), nonce: pending.nonce };
  await beginSession({ code: pending.organisation ? { ...code, organisation: pending.organisation } : code });
}

/** Ends the session here, and at the issuer if the login was there. */
export async function logOut() {
  const issuer = currentSession().isLogin ? await findIssuer() : null;
  await endSession();
  if (issuer?.endSessionEndpoint) {
    const to = new URL(issuer.endSessionEndpoint);
    to.searchParams.set('client_id', issuer.clientId);
    to.searchParams.set('post_logout_redirect_uri', redirect());
    location.assign(to);
  }
}

/** @param onLogin is called after the login */
export function Login({ onLogin, onTrouble }) {
  const [issuer, setIssuer] = useState(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    findIssuer().then(setIssuer);
  }, []);
  const byKey = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    try {
      await beginSession({ key: new FormData(form).get('key').trim() });
      onLogin();
    } catch (failure) {
      onTrouble(failure.message);
    } finally {
      form.reset();
      setBusy(false);
    }
  };
  const byIssuer = (event) => {
    event.preventDefault();
    begin(issuer, new FormData(event.currentTarget).get('organisation').trim()).catch((failure) => onTrouble(failure.message));
  };
  return html`
    <h2>Log in</h2>
    <form id="issuer" class="login" hidden=${!issuer} onSubmit=${byIssuer}>
      <label for="organisation">Organisation, if you are in several</label>
      <input id="organisation" name="organisation" autocomplete="organization" spellcheck="false" />
      <button type="submit" class="primary">Log in at <span id="issuer-name">${issuer?.issuer}</span></button>
    </form>
    <form id="login" class="login" onSubmit=${byKey}>
      <label for="key">API key</label>
      <input id="key" name="key" type="password" autocomplete="off" spellcheck="false" placeholder="op_..." required />
      <button type="submit" disabled=${isBusy}>Log in by the key</button>
      <p class="soft">The browser keeps a session of up to 12 hours, not the key. Log out to end it.</p>
    </form>`;
}
