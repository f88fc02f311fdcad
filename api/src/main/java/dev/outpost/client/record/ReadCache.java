package dev.outpost.client.record;

import dev.outpost.client.transfer.BytesSink;
import dev.outpost.client.transfer.ElementSink;
import dev.outpost.types.Layout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * A cache of elements that the program has read, so that a second read of a value needs no request to the machine. A value never changes:
 * a write binds another value to the storage. So an entry is valid as long as its value lives. A full cache drops the entries of the least
 * recently read value. Guarded by the ledger's lock.
 */
public final class ReadCache {
    /** The maximum bytes that are kept for one value. */
    static final int MAX_VALUE_BYTES = 64 << 10;

    /** The maximum bytes that are kept for all values of a machine. */
    static final long MAX_BYTES = 16 << 20;

    /** The estimated overhead of an entry in bytes, so that many small values are bounded, too. */
    private static final int ENTRY_BYTES = 128;

    private final Map<Long, Entries> values = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /**
     * The elements of a value that a read covers.
     *
     * @param layout null for the whole value
     * @param isShown true for only the elements that a print shows
     */
    public record Part(Layout layout, boolean isShown) {}

    /** A read that is complete or in progress. The failure of a peek does not count as reported to the program. */
    private record Read(CompletableFuture<byte[]> elements, boolean isPeek) {
        /**
         * Returns true if other reads may share this read. A peek that is still in progress is not shared: it might
         * fail, and its failure does not count as reported to the program.
         */
        boolean isShared() {
            return isPeek ? elements.state() == Future.State.SUCCESS : !elements.isCompletedExceptionally();
        }
    }

    /** The entries of one value, by the part that was read. */
    private static final class Entries {
        final Map<Part, Read> byPart = new HashMap<>();
        int bytes;
    }

    /** Copies the elements of a read and passes them on to its sink. */
    public static final class Copy implements ElementSink {
        private final ElementSink sink;

        /**
         * The array is allocated when the first elements arrive, because the copy is made under the ledger's lock.
         */
        private final BytesSink elements;

        /** @param bytes the size of all elements */
        public Copy(ElementSink sink, int bytes) {
            this.sink = sink;
            elements = new BytesSink(bytes);
        }

        @Override
        public void write(int first, ByteBuffer source) {
            elements.write(first, source.duplicate());
            sink.write(first, source);
        }

        public byte[] elements() {
            return elements.bytes();
        }
    }

    /** True if a read of this many bytes is small enough for the cache. */
    public static boolean isKept(long readBytes) {
        return readBytes + ENTRY_BYTES <= MAX_VALUE_BYTES;
    }

    /**
     * Returns the elements of an earlier read, which may not be complete yet; null if there is no such read. They
     * must not be changed: the caller copies them, after it has released the ledger's lock.
     */
    public CompletableFuture<byte[]> get(RemoteValue value, Part part) {
        Entries entries = value.read ? values.get(value.id()) : null;
        Read read = entries == null ? null : entries.byPart.get(part);
        return read == null || !read.isShared() ? null : read.elements;
    }

    /**
     * Keeps elements of a value.
     *
     * @param elements must not be changed from now on
     * @param readBytes the size of the elements in bytes
     * @param isPeek true if a failure of this read does not count as reported to the program
     */
    public void put(RemoteValue value, Part part, CompletableFuture<byte[]> elements, long readBytes, boolean isPeek) {
        int size = Math.toIntExact(readBytes) + ENTRY_BYTES;
        Entries entries = values.computeIfAbsent(value.id(), id -> new Entries());
        value.read = true;
        if (entries.byPart.put(part, new Read(elements, isPeek)) != null) {
            return;
        }
        if (entries.bytes + size > MAX_VALUE_BYTES) {
            bytes -= entries.bytes;
            entries.bytes = 0;
            entries.byPart.keySet().removeIf(other -> !other.equals(part));
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

    /** Removes the entries of a value that no longer exists. */
    void forget(RemoteValue value) {
        Entries entries = value.read ? values.remove(value.id()) : null;
        if (entries != null) {
            bytes -= entries.bytes;
        }
    }

    /** Returns the bytes of all kept elements and the overhead of their entries. */
    long bytes() {
        return bytes;
    }
}
