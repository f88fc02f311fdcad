package dev.outpost.backend;

import dev.outpost.channel.HostPort;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** The address and port at which the backend will listen. */
final class ListenPort {
    private ListenPort() {}

    /**
     * Checks that no other program listens there.
     *
     * @param port 0 for a free port
     * @throws IOException if the port is in use; the message names the remedy
     */
    static void requireFree(String host, int port) throws IOException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (BindException failure) {
            throw new IOException(
                    "port: it cannot listen at " + HostPort.text(host, port) + " (" + failure.getMessage()
                            + "): end the program that does, such as another backend, or choose another port by --port",
                    failure);
        }
    }
}
