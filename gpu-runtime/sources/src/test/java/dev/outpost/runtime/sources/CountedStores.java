package dev.outpost.runtime.sources;

import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.runtime.source.Store;
import dev.outpost.runtime.source.StoreFile;
import dev.outpost.runtime.source.StoreProvider;
import dev.outpost.support.tests.Await;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A store with one file, which a test sets. It counts concurrent reads. */
public final class CountedStores implements StoreProvider {
    /** Reads of parts, not of headers. */
    private static final int A_PART = 1 << 20;

    static final AtomicInteger UNDER_WAY = new AtomicInteger();
    static final AtomicInteger MOST_READS = new AtomicInteger();
    static final AtomicLong BYTES = new AtomicLong();
    static final AtomicLong MOST_BYTES = new AtomicLong();

    private static volatile byte[] head = {};
    private static volatile long size;
    private static volatile CountDownLatch together = new CountDownLatch(0);

    /**
     * Stores a file whose bytes after the head are 0.
     *
     * @param reads the number of reads of parts that wait for each other before the first one continues
     */
    static void put(byte[] beginning, long bytes, int reads) {
        head = beginning;
        size = bytes;
        together = new CountDownLatch(reads);
        MOST_READS.set(0);
        MOST_BYTES.set(0);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("counted");
    }

    @Override
    public Store open(SourceSettings settings) {
        return new Store() {
            @Override
            public List<StoreFile> list(String uri) {
                return List.of(new StoreFile("model.safetensors", size, "1"));
            }

            @Override
            public ReadableBytes open(String uri, StoreFile file) {
                return new Counted();
            }
        };
    }

    private static final class Counted implements ReadableBytes {
        @Override
        public String name() {
            return "counted:/model.safetensors";
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public void read(long position, byte[] target, int at, int length) {
            boolean isPart = length >= A_PART;
            if (isPart) {
                MOST_READS.accumulateAndGet(UNDER_WAY.incrementAndGet(), Math::max);
                MOST_BYTES.accumulateAndGet(BYTES.addAndGet(length), Math::max);
                awaitOthers();
            }
            Arrays.fill(target, at, at + length, (byte) 0);
            int known = Math.clamp(head.length - position, 0, length);
            System.arraycopy(head, (int) Math.min(position, head.length), target, at, known);
            if (isPart) {
                BYTES.addAndGet(-length);
                UNDER_WAY.decrementAndGet();
            }
        }

        private static void awaitOthers() {
            together.countDown();
            try {
                Await.opened("so many parts are under way", together);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
