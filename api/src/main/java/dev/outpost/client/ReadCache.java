package dev.outpost.client;

import dev.outpost.client.transfer.ElementSink;
import dev.outpost.types.Layout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The elements that the program has read lately, so that reading a value again asks nothing of the machine. A value never
 * changes: a write binds another value to the storage. So an entry is right for as long as its value lives. The entries of the
 * value that was read longest ago make room. Guarded by the ledger's lock.
 */
final class ReadCache {
    /** The most bytes that are kept of one value. */
    static final int MAX_VALUE_BYTES = 64 << 10;

    /** The most bytes that are kept of all values of a machine. */
    static final long MAX_BYTES = 16 << 20;

    /** What an entry takes besides its elements, so that many small values are bounded, too. */
    private static final int ENTRY_BYTES = 128;

    private final Map<Long, Entries> values = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** The entries of one value, by the layout that was read; null stands for the whole value. */
    private static final class Entries {
        final Map<Layout, CompletableFuture<byte[]>> byLayout = new HashMap<>();
        int bytes;
    }

    /** Takes the elements of a read on their way to its sink. */
    static final class Copy implements ElementSink {
        private final ElementSink sink;
        private final byte[] elements;

        /** @param bytes the size of all elements */
        Copy(ElementSink sink, int bytes) {
            this.sink = sink;
            elements = new byte[bytes];
        }

        @Override
        public void write(int first, ByteBuffer source) {
            source.duplicate().get(elements, first, source.remaining());
            sink.write(first, source);
        }

        byte[] elements() {
            return elements;
        }
    }

    /** True if the elements of a read of that size are kept. */
    static boolean isKept(long readBytes) {
        return readBytes + ENTRY_BYTES <= MAX_VALUE_BYTES;
    }

    /**
     * The elements of a value that were read before, or are on their way; null where the machine is to be asked.
     *
     * @param layout null for the whole value
     */
    CompletableFuture<byte[]> get(RemoteValue value, Layout layout) {
        Entries entries = value.read ? values.get(value.id()) : null;
        CompletableFuture<byte[]> elements = entries == null ? null : entries.byLayout.get(layout);
        return elements == null || elements.isCompletedExceptionally() ? null : elements.thenApply(byte[]::clone);
    }

    /**
     * Keeps elements of a value.
     *
     * @param elements are not changed from now on
     * @param readBytes how many bytes they are
     */
    void put(RemoteValue value, Layout layout, CompletableFuture<byte[]> elements, long readBytes) {
        int size = Math.toIntExact(readBytes) + ENTRY_BYTES;
        Entries entries = values.computeIfAbsent(value.id(), id -> new Entries());
        value.read = true;
        if (entries.byLayout.put(layout, elements) != null) {
            return;
        }
        if (entries.bytes + size > MAX_VALUE_BYTES) {
            bytes -= entries.bytes;
            entries.bytes = 0;
            entries.byLayout.keySet().removeIf(other -> other != layout);
        }
        entries.bytes += size;
        bytes += size;
        while (bytes > MAX_BYTES) {
            removeOldest();
        }
    }

    private void removeOldest() {
        var oldest = values.entrySet().iterator();
        bytes -= oldest.next().getValue().bytes;
        oldest.remove();
    }

    /** The value is gone. */
    void forget(RemoteValue value) {
        Entries entries = value.read ? values.remove(value.id()) : null;
        if (entries != null) {
            bytes -= entries.bytes;
        }
    }

    /** The bytes that are kept, with what the entries themselves take. */
    long bytes() {
        return bytes;
    }
}
