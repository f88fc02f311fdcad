/** The connection of a client to a machine that is not in its JVM: frames over gRPC, by TLS or by a Unix domain socket. */
package dev.outpost.transport;
