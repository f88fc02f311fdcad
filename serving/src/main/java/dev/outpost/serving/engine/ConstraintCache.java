package dev.outpost.serving.engine;

import dev.outpost.models.constraint.TokenConstraint;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The most recently used constraints of one model. Their number of bytes is limited, because one constraint may be a thousand times larger
 * than another. Thread-safe.
 */
final class ConstraintCache {
    private final long maxBytes;
    /** The constraints by their keys, the least recently used first. Guarded by this, like the next field. */
    private final Map<Object, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    private record Entry(TokenConstraint constraint, long bytes) {}

    ConstraintCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    synchronized @Nullable TokenConstraint find(Object key) {
        Entry entry = entries.get(key);
        return entry == null ? null : entry.constraint;
    }

    /**
     * Adds a constraint, and removes the least recently used constraints until the limit is kept.
     *
     * @param keyBytes the bytes of the key
     */
    synchronized void add(Object key, long keyBytes, TokenConstraint constraint) {
        Entry added = new Entry(constraint, constraint.bytes() + keyBytes);
        if (added.bytes > maxBytes) {
            return;
        }
        Entry before = entries.put(key, added);
        bytes += added.bytes - (before == null ? 0 : before.bytes);
        Iterator<Entry> oldest = entries.values().iterator();
        while (bytes > maxBytes) {
            bytes -= oldest.next().bytes;
            oldest.remove();
        }
    }

    /** Returns the bytes of all entries together. */
    synchronized long bytes() {
        return bytes;
    }
}
