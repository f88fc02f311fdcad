/** The client side of a connection: gRPC over TLS, Unix sockets, and within one JVM. */
@NullMarked
package dev.outpost.channel.client;

import org.jspecify.annotations.NullMarked;
