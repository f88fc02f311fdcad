package dev.outpost.provider.lan;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Tries which of a worker's addresses answers. Nobody says goodbye who loses power, so what is announced alone says little. */
final class Reachability {
    private static final Duration TIMEOUT = Duration.ofMillis(800);

    /** An address that answers, and how long it took. */
    record Answer(InetAddress address, Duration latency) {}

    private Reachability() {}

    /** The first of the addresses that takes a connection; waits. */
    static Optional<Answer> of(List<InetAddress> addresses, int port) {
        for (InetAddress address : addresses) {
            long start = System.nanoTime();
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(address, port), (int) TIMEOUT.toMillis());
                return Optional.of(new Answer(address, Duration.ofNanos(System.nanoTime() - start)));
            } catch (IOException | IllegalArgumentException ignored) {
                // The next address may be on a network that this host shares.
            }
        }
        return Optional.empty();
    }
}
