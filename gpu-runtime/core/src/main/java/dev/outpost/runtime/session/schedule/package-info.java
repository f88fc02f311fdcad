/** Schedules the sessions on the engine. */
package dev.outpost.runtime.session.schedule;
