/** The workloads that are compared, each with its computation in Outpost and in the other libraries. */
package dev.outpost.bench.peers.workload;
