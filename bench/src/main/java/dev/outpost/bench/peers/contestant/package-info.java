/** The libraries that compute the workloads, Outpost among them, and the interface that all of them implement. */
package dev.outpost.bench.peers.contestant;
