/** A machine's report of how a value was computed: the recorded graph, its kernels, their code, memory and times. */
@NullMarked
package dev.outpost.explain;

import org.jspecify.annotations.NullMarked;
