package dev.outpost.provider.lan;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Finds which of a worker's addresses answers. An announcement alone is not enough, because a worker that loses power cannot withdraw
 * it.
 */
final class Reachability {
    private static final Duration TIMEOUT = Duration.ofMillis(800);

    /** An address that answers, and how long it took. */
    record Answer(InetAddress address, Duration latency) {}

    private Reachability() {}

    /** Returns the first of the addresses that accepts a connection. Blocks. */
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
