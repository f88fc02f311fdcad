package dev.outpost.client.profile;

import java.util.ArrayList;
import java.util.List;

/** A bounded list to which many threads add. Events that do not fit are counted. */
final class Events<T> {
    private final int max;
    private final List<T> events = new ArrayList<>();
    private long dropped;

    Events(int max) {
        this.max = max;
    }

    synchronized void add(T event) {
        if (events.size() < max) {
            events.add(event);
        } else {
            dropped++;
        }
    }

    /** Counts more missing events. */
    synchronized void drop(long count) {
        dropped += count;
    }

    synchronized List<T> all() {
        return List.copyOf(events);
    }

    synchronized long dropped() {
        return dropped;
    }
}
