// The address of the page, and the signal that something on the backend has changed.

import { ask, currentSession } from './api.js';
import { useEffect, useRef, useState } from './html.js';

const POLL_MILLIS = 5000;
const RETRY_MILLIS = 1000;
const BURST_MILLIS = 500;

/** The page and its parameters: #/machines?q=ada is the page /machines with the parameter q. */
export function place() {
  const [path, query] = (location.hash.slice(1) || '/').split('?');
  return { path: path || '/', query: new URLSearchParams(query ?? '') };
}

/** Changes parameters of the address. Other parameters stay; an empty value removes its parameter. */
export function setQuery(changes, isNewStep = false) {
  const { path, query } = place();
  for (const [name, value] of Object.entries(changes)) {
    if (value === '' || value === null || value === undefined) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  const hash = `#${path}${text ? `?${text}` : ''}`;
  if (isNewStep) {
    location.hash = hash;
  } else {
    history.replaceState(null, '', hash);
    dispatchEvent(new HashChangeEvent('hashchange'));
  }
}

export function usePlace() {
  const [, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return place();
}

const listeners = new Set();

/** Has the shown page read its data again. */
export const refresh = () => listeners.forEach((listener) => listener());

/**
 * The data of a page, which are read again after each event.
 *
 * @param load reads the data
 * @param key the name of the data; other data replace those of another key
 * @returns data: null until they are read; failure: why the last attempt failed; readAt: the time of the data
 */
export function useData(load, key) {
  const [state, setState] = useState({ key: null, data: null, failure: null, readAt: null });
  const latest = useRef(0);
  useEffect(() => {
    let isRunning = false;
    let isAskedAgain = false;
    const turn = ++latest.current;
    const run = async () => {
      if (isRunning) {
        isAskedAgain = true;
        return;
      }
      isRunning = true;
      do {
        isAskedAgain = false;
        try {
          const data = await load();
          if (turn === latest.current) setState({ key, data, failure: null, readAt: Date.now() });
        } catch (failure) {
          if (turn === latest.current) setState((old) => ({ ...(old.key === key ? old : { key, data: null, readAt: null }), failure }));
        }
      } while (isAskedAgain && turn === latest.current);
      isRunning = false;
    };
    run();
    listeners.add(run);
    return () => {
      latest.current++;
      listeners.delete(run);
    };
  }, [key]);
  return state.key === key ? state : { key, data: null, failure: null, readAt: null };
}

/** Refreshes the page after events of machines, and every few seconds, since ages and costs change without events. */
export function useEvents() {
  useEffect(() => {
    const stop = new AbortController();
    let due = null;
    const soon = () => {
      due ??= setTimeout(() => {
        due = null;
        refresh();
      }, BURST_MILLIS);
    };
    const listen = async () => {
      while (!stop.signal.aborted && currentSession()) {
        try {
          const answer = await ask('/v1/events', 'text/event-stream', stop.signal);
          const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
          for (let part = await reader.read(); !part.done; part = await reader.read()) {
            if (/event: ?machine/.test(part.value)) soon();
          }
        } catch (ignored) {
          // The connection is made again below.
        }
        await new Promise((resume) => setTimeout(resume, RETRY_MILLIS));
      }
    };
    listen();
    const poll = setInterval(() => {
      if (!document.hidden) refresh();
    }, POLL_MILLIS);
    return () => {
      stop.abort();
      clearTimeout(due);
      clearInterval(poll);
    };
  }, []);
}
