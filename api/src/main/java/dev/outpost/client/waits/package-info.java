/** Waits for a machine, and their limits. */
package dev.outpost.client.waits;
