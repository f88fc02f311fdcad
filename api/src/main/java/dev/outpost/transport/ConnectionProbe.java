package dev.outpost.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;

/** Asks whether somebody listens at an address. */
@FunctionalInterface
interface ConnectionProbe {
    int TIMEOUT_MILLIS = 2000;

    /** The reason why a connection cannot be made, or nothing. */
    Optional<String> problem(String host, int port);

    /** By a connection, which is closed at once. */
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
