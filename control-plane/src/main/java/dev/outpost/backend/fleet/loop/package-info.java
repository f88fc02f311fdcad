/** The loops of reconcilers, and their wakeups. */
package dev.outpost.backend.fleet.loop;
