package dev.outpost.client;

import dev.outpost.client.transfer.ElementSink;
import dev.outpost.types.Layout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

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

    /**
     * What was read of a value.
     *
     * @param layout null for the whole value
     * @param isShown whether only those elements are meant that a print shows
     */
    record Part(Layout layout, boolean isShown) {}

    /** A read that is done or under way; the failure of a peek is not told to the program. */
    private record Read(CompletableFuture<byte[]> elements, boolean isPeek) {
        /** A peek is shared only once it has succeeded: a read that joined it earlier might get a failure that nobody was told of. */
        boolean isShared() {
            return isPeek ? elements.state() == Future.State.SUCCESS : !elements.isCompletedExceptionally();
        }
    }

    /** The entries of one value, by what was read of it. */
    private static final class Entries {
        final Map<Part, Read> byPart = new HashMap<>();
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

    /** The elements of a value that were read before, or are on their way; null where the machine is to be asked. */
    CompletableFuture<byte[]> get(RemoteValue value, Part part) {
        Entries entries = value.read ? values.get(value.id()) : null;
        Read read = entries == null ? null : entries.byPart.get(part);
        return read == null || !read.isShared() ? null : read.elements.thenApply(byte[]::clone);
    }

    /**
     * Keeps elements of a value.
     *
     * @param elements are not changed from now on
     * @param readBytes how many bytes they are
     * @param isPeek whether a failure is not told to the program
     */
    void put(RemoteValue value, Part part, CompletableFuture<byte[]> elements, long readBytes, boolean isPeek) {
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
