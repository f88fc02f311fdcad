/** The start of a machine's process: its engine, command, environment and isolation. */
package dev.outpost.provider.process.launch;
