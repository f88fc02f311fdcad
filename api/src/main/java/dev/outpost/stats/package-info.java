/** What a machine has done so far, and how long it took to come. */
@NullMarked
package dev.outpost.stats;

import org.jspecify.annotations.NullMarked;
