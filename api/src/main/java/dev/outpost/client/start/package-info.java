/** How a machine comes: what provides it, how long each phase takes, and how that is shown. */
package dev.outpost.client.start;
