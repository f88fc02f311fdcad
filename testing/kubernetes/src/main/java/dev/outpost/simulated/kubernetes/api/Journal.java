package dev.outpost.simulated.kubernetes.api;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The history of all objects, and its followers. Used under the API server's lock only. */
final class Journal {
    private static final int KEPT = 20_000;

    private final Deque<Change> history = new ArrayDeque<>();
    private final Set<Consumer<Change>> followers = new LinkedHashSet<>();

    /** The version of the last change that was forgotten. */
    private long floor;

    void add(Change change) {
        history.addLast(change);
        if (history.size() > KEPT) {
            floor = history.removeFirst().version();
        }
        List.copyOf(followers).forEach(follower -> follower.accept(change));
    }

    /** Returns the changes after a version. */
    List<Change> since(long version) {
        if (version < floor) {
            throw ApiStatusException.expired(version, floor);
        }
        return history.stream().filter(change -> change.version() > version).toList();
    }

    /** Forgets the history. */
    void expire(long version) {
        history.clear();
        floor = version;
    }

    /** Adds a follower, which is called under the lock and must not wait. */
    void follow(Consumer<Change> follower) {
        followers.add(follower);
    }

    void leave(Consumer<Change> follower) {
        followers.remove(follower);
    }
}
