/** Workloads that Outpost and other libraries compute alike: what they are, and each library's way to do them. */
package dev.outpost.bench.peers;
