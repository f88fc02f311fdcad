package dev.outpost.runtime.peer.network;

import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The connections that have not yet authenticated as members. Their number is limited for each address and in total. Beyond the limit, a
 * new connection replaces the oldest one, because members authenticate within moments. Thread-safe.
 */
final class Greetings {
    static final int MAX = 1024;

    /** The number of connections that an address may have in addition to one for each member. */
    static final int MORE_OF_AN_ADDRESS = 16;

    private static final Duration PAUSE = Duration.ofMillis(50);

    private final int maxOfAnAddress;
    private final Map<InetAddress, LinkedHashSet<Socket>> ofAddresses = new HashMap<>();
    private final LinkedHashSet<Socket> all = new LinkedHashSet<>();

    /** @param members the number of members, which may all connect from one address */
    Greetings(int members) {
        maxOfAnAddress = members + MORE_OF_AN_ADDRESS;
    }

    /**
     * Adds a connection. The caller calls {@link #end} later.
     *
     * @return the connection that must be closed to make room, if any
     */
    synchronized Optional<Socket> begin(Socket connected) {
        LinkedHashSet<Socket> own =
                ofAddresses.computeIfAbsent(connected.getInetAddress(), first -> new LinkedHashSet<>());
        own.add(connected);
        all.add(connected);
        Optional<Socket> oldest = own.size() > maxOfAnAddress
                ? Optional.of(own.getFirst())
                : all.size() > MAX ? Optional.of(all.getFirst()) : Optional.empty();
        oldest.ifPresent(this::end);
        return oldest;
    }

    synchronized void end(Socket connected) {
        all.remove(connected);
        ofAddresses.computeIfPresent(connected.getInetAddress(), (same, own) -> {
            own.remove(connected);
            return own.isEmpty() ? null : own;
        });
    }

    /** Waits after a failed accept, because the process may have run out of file descriptors, and will soon have a free one again. */
    static void pauseAfterRefusal() {
        LockSupport.parkNanos(PAUSE.toNanos());
    }
}
