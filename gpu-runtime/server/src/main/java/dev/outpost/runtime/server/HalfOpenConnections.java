package dev.outpost.runtime.server;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The halves of connections that wait for their other half, by the number that both halves name. Bounded, and no
 * caller is turned away: where a peer, or all together, have too many, the oldest of the peer that has most gives way.
 * Halves that belong together come within moments, so a peer that opens halves alone only drives out its own.
 */
final class HalfOpenConnections<T> {
    private final int maxOfAPeer;
    private final int max;

    /** By peer, the oldest first. */
    private final Map<String, LinkedHashMap<UUID, T>> byPeer = new HashMap<>();

    private final Map<UUID, String> peers = new HashMap<>();

    HalfOpenConnections(int maxOfAPeer, int max) {
        this.maxOfAPeer = maxOfAPeer;
        this.max = max;
    }

    /** The half of that number, which waits no longer. */
    synchronized Optional<T> take(UUID number) {
        String peer = peers.remove(number);
        return peer == null ? Optional.empty() : Optional.of(remove(peer, number));
    }

    /** Takes out a half if it still waits. */
    synchronized boolean remove(UUID number, T half) {
        String peer = peers.get(number);
        return peer != null
                && byPeer.get(peer).get(number) == half
                && take(number).isPresent();
    }

    /** Has a half wait under a number under which none does; the answer is one that gave way to it. */
    synchronized Optional<T> add(UUID number, String peer, T half) {
        byPeer.computeIfAbsent(peer, first -> new LinkedHashMap<>()).put(number, half);
        peers.put(number, peer);
        if (byPeer.get(peer).size() > maxOfAPeer) {
            return Optional.of(removeOldest(peer));
        }
        return peers.size() > max ? Optional.of(removeOldest(largest())) : Optional.empty();
    }

    synchronized int size() {
        return peers.size();
    }

    private String largest() {
        return byPeer.entrySet().stream()
                .max(Comparator.comparingInt(entry -> entry.getValue().size()))
                .orElseThrow()
                .getKey();
    }

    private T removeOldest(String peer) {
        Iterator<UUID> oldest = byPeer.get(peer).keySet().iterator();
        UUID number = oldest.next();
        peers.remove(number);
        return remove(peer, number);
    }

    private T remove(String peer, UUID number) {
        Map<UUID, T> halves = byPeer.get(peer);
        T half = halves.remove(number);
        if (halves.isEmpty()) {
            byPeer.remove(peer);
        }
        return half;
    }
}
