package dev.outpost.runtime.session;

import java.util.concurrent.atomic.AtomicLong;

/** A number that one thread changes and any thread reads. Costs that thread no more than a field. */
final class Counter {
    private final AtomicLong value = new AtomicLong();

    void add(long more) {
        set(value.getPlain() + more);
    }

    void set(long now) {
        value.setOpaque(now);
    }

    long get() {
        return value.getOpaque();
    }
}
