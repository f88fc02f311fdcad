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
 * The connections of which it is not known yet whether they are members'. There are few of each address, and of all: one more drives out the
 * oldest, since a member shows within moments that it is one. Thread-safe.
 */
final class Greetings {
    static final int MAX = 1024;

    /** The number of connections that an address may have in addition to one for each member. */
    static final int MORE_OF_AN_ADDRESS = 16;

    private static final Duration PAUSE = Duration.ofMillis(50);

    private final int maxOfAnAddress;
    private final Map<InetAddress, LinkedHashSet<Socket>> ofAddresses = new HashMap<>();
    private final LinkedHashSet<Socket> all = new LinkedHashSet<>();

    /** @param members that may all come from one address */
    Greetings(int members) {
        maxOfAnAddress = members + MORE_OF_AN_ADDRESS;
    }

    /**
     * A connection has come; {@link #end} follows.
     *
     * @return the one that is to be closed in its favour
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

    /** The process may have no file left for a connection; it has one again soon. */
    static void pauseAfterRefusal() {
        LockSupport.parkNanos(PAUSE.toNanos());
    }
}
