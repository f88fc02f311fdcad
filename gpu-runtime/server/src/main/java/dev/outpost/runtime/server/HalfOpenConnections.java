package dev.outpost.runtime.server;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Stores halves of connections that wait for their other half, by the number that both halves have. The number of halves is limited, but no
 * caller is refused. If one peer has too many halves, or all peers together, the oldest half of the peer with the most halves is dropped.
 * Matching halves arrive within moments, so a peer that opens only single halves drops its own.
 */
final class HalfOpenConnections<T> {
    private final int maxOfAPeer;
    private final int max;

    /** The halves of each peer, the oldest first. */
    private final Map<String, LinkedHashMap<UUID, T>> byPeer = new HashMap<>();

    private final Map<UUID, String> peers = new HashMap<>();

    HalfOpenConnections(int maxOfAPeer, int max) {
        this.maxOfAPeer = maxOfAPeer;
        this.max = max;
    }

    synchronized Optional<T> take(UUID number) {
        String peer = peers.remove(number);
        return peer == null ? Optional.empty() : Optional.of(remove(peer, number));
    }

    /** Removes a half if it still waits. */
    synchronized boolean remove(UUID number, T half) {
        String peer = peers.get(number);
        return peer != null
                && byPeer.get(peer).get(number) == half
                && take(number).isPresent();
    }

    /** Adds a half with a number that no other half has. Returns the half that was dropped for it, if any. */
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
