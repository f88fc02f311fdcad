/**
 * Machines that are runtime processes on this host. The state of a machine is in a folder that only the user can read, not in the
 * memory of a process: the process that started it may die, and any other process of the user can find and end the machine.
 */
package dev.outpost.provider.process;
