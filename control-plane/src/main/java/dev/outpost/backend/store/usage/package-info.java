/** Rows of the use of machines and texts, of costs and of limits, and the transitions of machines, which change these rows. */
package dev.outpost.backend.store.usage;
