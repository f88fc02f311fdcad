/** The start of a machine: its source, the time of each phase, and the display of the progress. */
package dev.outpost.client.start;
