package dev.outpost.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;

/** Tests whether a server accepts connections at an address. */
@FunctionalInterface
interface ConnectionProbe {
    int TIMEOUT_MILLIS = 2000;

    /** Returns the reason why a connection is impossible; empty if it is possible. */
    Optional<String> problem(String host, int port);

    /** Opens a connection, and closes it at once. */
    static Optional<String> atTheDoor(String host, int port) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            return Optional.of("no host is called " + host);
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, TIMEOUT_MILLIS);
            return Optional.empty();
        } catch (IOException failure) {
            return Optional.of(failure.getMessage());
        }
    }
}
