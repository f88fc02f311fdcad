/** Comparison with other libraries on the same workloads. */
package dev.outpost.bench.peers;
