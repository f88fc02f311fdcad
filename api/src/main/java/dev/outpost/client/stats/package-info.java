/** The counters of a session. */
package dev.outpost.client.stats;
