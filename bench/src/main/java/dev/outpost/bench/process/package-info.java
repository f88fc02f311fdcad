/** The other processes that a benchmark starts. */
package dev.outpost.bench.process;
