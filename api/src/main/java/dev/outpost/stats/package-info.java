/** The counters of a machine, and the time that it took to start. */
@NullMarked
package dev.outpost.stats;

import org.jspecify.annotations.NullMarked;
