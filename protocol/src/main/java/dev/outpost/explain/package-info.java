/** A machine's report of how a value was computed: the recorded graph, its kernels, their code, memory and times. */
package dev.outpost.explain;
