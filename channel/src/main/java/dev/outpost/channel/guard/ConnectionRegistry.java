package dev.outpost.channel.guard;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The open connections of a server by their addresses. At a limit, a new connection replaces the oldest connection that is not busy. At
 * the limit of an address this is one of the same address; at the total limit it is one of the address with the most connections. All IPv6
 * addresses with the same first 64 bits count as one address. Thread-safe.
 *
 * @param <C> the type of connections
 */
final class ConnectionRegistry<C extends ConnectionRegistry.Member> {
    private static final int NETWORK_BYTES = 8;

    /** A connection. */
    interface Member {
        /** True if the server is processing a request of this connection. */
        boolean isBusy();

        void close();
    }

    private final int max;
    private final int maxOfAnAddress;
    /** Guarded by this; the oldest connection of each address is the first. */
    private final Map<InetAddress, Set<C>> byAddress = new HashMap<>();

    /** The number of requests of each address behind a proxy. Guarded by this. */
    private final Map<InetAddress, Integer> requests = new HashMap<>();

    /** Guarded by this. */
    private int open;

    ConnectionRegistry(int max, int maxOfAnAddress) {
        this.max = max;
        this.maxOfAnAddress = maxOfAnAddress;
    }

    /**
     * Adds a connection. Returns false if a limit is reached and every connection that it could replace is busy.
     *
     * @param isProxy true to count it only toward the total
     */
    boolean add(InetAddress address, boolean isProxy, C connection) {
        Optional<C> driven = Optional.empty();
        synchronized (this) {
            InetAddress key = key(address);
            Set<C> own = byAddress.getOrDefault(key, Set.of());
            if (!isProxy && own.size() >= maxOfAnAddress) {
                driven = oldestIdle(own);
            } else if (open >= max) {
                driven = byAddress.values().stream()
                        .sorted(Comparator.comparingInt((Set<C> some) -> some.size())
                                .reversed())
                        .flatMap(some -> oldestIdle(some).stream())
                        .findFirst();
            }
            boolean isFull = !isProxy && own.size() >= maxOfAnAddress || open >= max;
            if (isFull && driven.isEmpty()) {
                return false;
            }
            driven.ifPresent(this::removeFromAny);
            byAddress.computeIfAbsent(key, unseen -> new LinkedHashSet<>()).add(connection);
            open++;
        }
        driven.ifPresent(Member::close);
        return true;
    }

    private Optional<C> oldestIdle(Set<C> some) {
        return some.stream().filter(one -> !one.isBusy()).findFirst();
    }

    private void removeFromAny(C connection) {
        for (Map.Entry<InetAddress, Set<C>> entry : byAddress.entrySet()) {
            if (entry.getValue().contains(connection)) {
                remove(entry.getKey(), connection);
                return;
            }
        }
    }

    synchronized void remove(InetAddress address, C connection) {
        InetAddress key = key(address);
        Set<C> own = byAddress.get(key);
        if (own != null && own.remove(connection)) {
            open--;
            if (own.isEmpty()) {
                byAddress.remove(key);
            }
        }
    }

    /** Counts a request of an address behind a proxy. Returns false if the limit of the address is reached. */
    synchronized boolean beginRequest(InetAddress address) {
        InetAddress key = key(address);
        int count = requests.getOrDefault(key, 0);
        if (count >= maxOfAnAddress) {
            return false;
        }
        requests.put(key, count + 1);
        return true;
    }

    synchronized void endRequest(InetAddress address) {
        requests.computeIfPresent(key(address), (same, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    }

    synchronized int open() {
        return open;
    }

    private static InetAddress key(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] bytes = address.getAddress();
        Arrays.fill(bytes, NETWORK_BYTES, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
