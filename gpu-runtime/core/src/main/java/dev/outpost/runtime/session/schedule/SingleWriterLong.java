package dev.outpost.runtime.session.schedule;

import java.util.concurrent.atomic.AtomicLong;

/** A number that one thread changes and any thread reads. A write costs no more than a field's. */
public final class SingleWriterLong {
    private final AtomicLong value = new AtomicLong();

    public void add(long more) {
        set(value.getPlain() + more);
    }

    public void set(long now) {
        value.setOpaque(now);
    }

    public long get() {
        return value.getOpaque();
    }
}
