// What a person does to machines, pools, deployments and clusters: a button, a question that says what happens, then one request.

import { send } from './api.js';
import { element } from './elements.js';

/**
 * A button that asks before it acts.
 *
 * @param question what will happen, as a sentence
 * @param act makes the request
 * @param version of what it changes: a button of another version is another button
 */
export function action(label, question, act, version = 0) {
  const attributes = { type: 'button', 'data-action': label.toLowerCase().replaceAll(' ', '-'), 'data-version': version };
  const button = element('button', attributes, label);
  button.addEventListener('click', () => confirmed(label, question, act));
  return button;
}

function confirmed(label, question, act) {
  const dialog = document.getElementById('confirm');
  document.getElementById('question').textContent = question;
  document.getElementById('refusal').textContent = '';
  const yes = document.getElementById('yes');
  yes.textContent = label;
  yes.onclick = async () => {
    yes.disabled = true;
    try {
      await act();
      dialog.close();
      dispatchEvent(new HashChangeEvent('hashchange'));
    } catch (refused) {
      document.getElementById('refusal').textContent = refused.message;
    } finally {
      yes.disabled = false;
    }
  };
  dialog.showModal();
}

export const endMachine = (id) => action(
  'End', `Machine ${id.slice(0, 8)} ends. Its sessions and all values on it are lost.`, () => send('POST', `/v1/machines/${id}:end`));

export const cancelJob = (job) => action(
  'Cancel', `Job ${job.name ?? job.id.slice(0, 8)} is cancelled. Its program is told to end, and it is not run again.`,
  () => send('POST', `/v1/jobs/${job.id}:cancel`));

export function pausePool(pool) {
  const label = pool.paused ? 'Resume' : 'Pause';
  const question = pool.paused
    ? `Pool ${pool.name} starts machines again, ${pool.min} at the least.`
    : `Pool ${pool.name} ends the machines that wait. Requests start cold.`;
  const body = { gpu: pool.gpu, min: pool.min, max: pool.max, idle: pool.idle, lease: pool.lease, paused: !pool.paused };
  return action(label, question, () => send('PUT', `/v1/pools/${pool.name}`, body, pool.version), pool.version);
}

export const rollBack = (deployment) => action(
  'Roll back',
  `Deployment ${deployment.name} goes back to the revision before ${deployment.revision}. Streams that run end whole.`,
  () => send('POST', `/v1/deployments/${deployment.name}:rollback`, {}, deployment.version),
  deployment.version);

const STATES = {
  ACTIVE: ['Activate', 'takes new machines again'],
  CORDONED: ['Cordon', 'takes no new machines, and keeps those it has'],
  DRAINING: ['Drain', 'takes no new machines, and ends those it has'],
};

/** To each state that it is not in. */
export function changeCluster(cluster) {
  return Object.entries(STATES).filter(([state]) => state !== cluster.state).map(([state, [label, effect]]) => {
    return action(
      label, `Cluster ${cluster.name} ${effect}.`, () => send('PUT', `/v1/clusters/${cluster.name}`, { state }, cluster.version),
      cluster.version);
  });
}

export const revokeKey = (key) => action(
  'Revoke', `Key ${key.name} opens nothing any more.`, () => send('DELETE', `/v1/keys/${key.id}`));

export const removeMember = (member) => action(
  'Remove',
  `${member.subject} is no member of ${member.project ?? 'the organisation'} any more. Keys of this member open nothing.`,
  () => send('DELETE', `/v1/members/${encodeURIComponent(member.subject)}${member.project ? `?project=${member.project}` : ''}`));
