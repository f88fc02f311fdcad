/** Connections between members: TLS, sockets and shared memory on one host, and queues in one JVM. */
package dev.outpost.runtime.peer.network;
