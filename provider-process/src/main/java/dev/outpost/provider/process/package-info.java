/**
 * Machines that are runtime processes on this host. What there is of one is in a folder that only the user can read, and in
 * nobody's memory: whoever started it may die, and any other process of the user finds and ends it.
 */
package dev.outpost.provider.process;
