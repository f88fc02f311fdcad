package dev.outpost.protocol.trace;

import dev.outpost.protocol.bytes.ByteWriter;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps events until they are requested, in a few bytes each. The memory is bounded. Events that do not fit are counted. The results of
 * {@link #take} are the pieces of one stream, which {@link EngineTraceReader} reads. Not thread-safe.
 */
public final class EngineTraceWriter {
    /** The maximum number of bytes of waiting events. */
    public static final int MAX_BYTES = 4 << 20;

    private static final int PIECE_BYTES = 64 << 10;

    static final int NAME = 1;
    static final int SEGMENT = 2;
    static final int PLANNED = 3;
    static final int KERNEL = 4;
    static final int FETCHED = 5;
    static final int DROPPED = 6;

    private final int maxBytes;
    private final ArrayDeque<byte[]> full = new ArrayDeque<>();
    private final Map<String, Integer> names = new HashMap<>();
    private ByteWriter open = new ByteWriter(PIECE_BYTES);
    private long fullBytes;
    private long lastNanos;
    private long dropped;

    public EngineTraceWriter() {
        this(MAX_BYTES);
    }

    EngineTraceWriter(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Registers a name. Returns its number, which identifies a kernel. */
    public int name(String name) {
        Integer known = names.get(name);
        if (known != null) {
            return known;
        }
        open.u8(NAME);
        open.string(name);
        names.put(name, names.size());
        return names.size() - 1;
    }

    public void segment(long number, int instructions, long arrived, long start, long end) {
        if (tryReserve()) {
            open.u8(SEGMENT);
            open.varint(number);
            open.varint(instructions);
            span(start, end);
            open.zigzag(start - arrived);
        }
    }

    public void planned(long start, long end) {
        if (tryReserve()) {
            open.u8(PLANNED);
            span(start, end);
        }
    }

    public void kernel(int name, long start, long end) {
        if (tryReserve()) {
            open.u8(KERNEL);
            open.varint(name);
            span(start, end);
        }
    }

    public void fetched(long fetch, long start, long end) {
        if (tryReserve()) {
            open.u8(FETCHED);
            open.varint(fetch);
            span(start, end);
        }
    }

    /** Returns the next waiting piece; empty if there is none. */
    public byte[] take() {
        if (full.isEmpty()) {
            sayDropped();
            seal();
        }
        byte[] next = full.poll();
        fullBytes -= next.length;
        return next;
    }

    /** Returns true if events wait. */
    public boolean hasMore() {
        return !full.isEmpty() || open.size() > 0 || dropped > 0;
    }

    private void span(long start, long end) {
        open.zigzag(start - lastNanos);
        open.zigzag(end - start);
        lastNanos = start;
        if (open.size() >= PIECE_BYTES) {
            seal();
        }
    }

    private void seal() {
        byte[] bytes = open.toByteArray();
        full.add(bytes);
        fullBytes += bytes.length;
        open.clear();
    }

    private boolean tryReserve() {
        boolean hasRoom = fullBytes + open.size() < maxBytes;
        if (hasRoom) {
            sayDropped();
        } else {
            dropped++;
        }
        return hasRoom;
    }

    private void sayDropped() {
        if (dropped > 0) {
            open.u8(DROPPED);
            open.varint(dropped);
            dropped = 0;
        }
    }
}
