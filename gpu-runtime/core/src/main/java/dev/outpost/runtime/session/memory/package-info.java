/** Device memory: storages, quotas of sessions, and refusals. */
package dev.outpost.runtime.session.memory;
