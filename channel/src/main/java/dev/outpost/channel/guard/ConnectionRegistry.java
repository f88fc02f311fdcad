package dev.outpost.channel.guard;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The open connections of a server by their addresses. At a limit, a new connection replaces the oldest connection that is not busy. At the
 * limit of an address this is one of the same address. At the total limit it is a connection of the address that has the most connections.
 * All IPv6 addresses with the same first 64 bits count as one address. Thread-safe.
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
    /** Guarded by this. The oldest connection of each address is the first. */
    private final Map<InetAddress, Set<C>> byAddress = new HashMap<>();

    /**
     * The addresses by their number of connections, so that at the total limit not all of them are searched. Guarded
     * by this.
     */
    private final NavigableMap<Integer, Set<InetAddress>> byCount = new TreeMap<>();

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
        Optional<Found<C>> driven = Optional.empty();
        synchronized (this) {
            InetAddress key = key(address);
            boolean isAddressFull = !isProxy && count(key) >= maxOfAnAddress;
            if (isAddressFull) {
                driven = oldestIdle(key);
            } else if (open >= max) {
                driven = oldestIdleOfTheMost();
            }
            if ((isAddressFull || open >= max) && driven.isEmpty()) {
                return false;
            }
            driven.ifPresent(found -> removeFrom(found.key(), found.connection()));
            insert(key, connection);
        }
        driven.ifPresent(found -> found.connection().close());
        return true;
    }

    private record Found<C>(InetAddress key, C connection) {}

    private int count(InetAddress key) {
        return byAddress.getOrDefault(key, Set.of()).size();
    }

    private Optional<Found<C>> oldestIdle(InetAddress key) {
        return byAddress.getOrDefault(key, Set.of()).stream()
                .filter(one -> !one.isBusy())
                .findFirst()
                .map(one -> new Found<>(key, one));
    }

    /** Finds the oldest connection that is not busy. Searches the addresses with the most connections first. */
    private Optional<Found<C>> oldestIdleOfTheMost() {
        for (Set<InetAddress> keys : byCount.descendingMap().values()) {
            for (InetAddress key : keys) {
                Optional<Found<C>> found = oldestIdle(key);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private void insert(InetAddress key, C connection) {
        Set<C> own = byAddress.computeIfAbsent(key, unseen -> new LinkedHashSet<>());
        if (own.add(connection)) {
            open++;
            moved(key, own.size() - 1, own.size());
        }
    }

    synchronized void remove(InetAddress address, C connection) {
        removeFrom(key(address), connection);
    }

    private void removeFrom(InetAddress key, C connection) {
        Set<C> own = byAddress.get(key);
        if (own != null && own.remove(connection)) {
            open--;
            moved(key, own.size() + 1, own.size());
            if (own.isEmpty()) {
                byAddress.remove(key);
            }
        }
    }

    private void moved(InetAddress key, int before, int count) {
        byCount.computeIfPresent(before, (same, keys) -> {
            keys.remove(key);
            return keys.isEmpty() ? null : keys;
        });
        if (count > 0) {
            byCount.computeIfAbsent(count, unseen -> new LinkedHashSet<>()).add(key);
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
