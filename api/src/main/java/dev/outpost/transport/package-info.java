/**
 * How a client reaches a machine that is not in its JVM: frames over gRPC, by TLS or by a Unix domain socket.
 */
package dev.outpost.transport;
