/** The display of a loop's progress, and files of its metrics. */
@NullMarked
package dev.outpost.metrics;

import org.jspecify.annotations.NullMarked;
