package dev.outpost.runtime.sources.hub;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.runtime.source.SourceCache;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a hub are fetched once, go on where they were interrupted, and make room for others. */
class BlobCacheTest {
    private static final int BYTES = 2 * PartialBlob.BLOCK + 100;

    @TempDir
    private Path folder;

    private final Origin origin = new Origin(1, BYTES);

    private BlobCache cache(long bytes) {
        return new BlobCache(new SourceCache(folder, bytes));
    }

    /** A far file that counts what is asked of it. */
    private static final class Origin implements ReadableBytes {
        private final byte[] content;
        private final AtomicLong fetched = new AtomicLong();
        private volatile CountDownLatch held = new CountDownLatch(0);
        private final CountDownLatch asked = new CountDownLatch(1);

        Origin(long seed, int bytes) {
            content = new byte[bytes];
            new Random(seed).nextBytes(content);
        }

        String digest() throws Exception {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        }

        @Override
        public String name() {
            return "far";
        }

        @Override
        public long size() {
            return content.length;
        }

        @Override
        public void read(long position, byte[] target, int at, int length) throws IOException {
            asked.countDown();
            try {
                Await.opened("the origin is let go on", held);
            } catch (InterruptedException interrupted) {
                throw new IOException(interrupted);
            }
            fetched.addAndGet(length);
            System.arraycopy(content, (int) position, target, at, length);
        }
    }

    private static byte[] all(ReadableBytes bytes) throws IOException {
        try (bytes) {
            return bytes.read(0, (int) bytes.size());
        }
    }

    @Test
    void aFileIsFetchedOnceAndKeptByItsChecksum() throws Exception {
        try (BlobCache cache = cache(1 << 30)) {
            assertArrayEquals(origin.content, all(cache.open(origin.digest(), origin)));
            assertArrayEquals(origin.content, all(cache.open(origin.digest(), origin)));
            assertEquals(BYTES, origin.fetched.get());
        }
        assertEquals(1, Files.list(folder).count(), "only the whole file is left");
        assertEquals(BYTES, Files.size(folder.resolve(origin.digest())));
    }

    @Test
    void aPartIsFetchedByItsBlocksOnly() throws Exception {
        try (BlobCache cache = cache(1 << 30);
                ReadableBytes bytes = cache.open(origin.digest(), origin)) {
            assertEquals(origin.content[BYTES - 1], bytes.read(BYTES - 1, 1)[0]);
            assertEquals(100, origin.fetched.get());
        }
    }

    @Test
    void anInterruptedDownloadGoesOn() throws Exception {
        try (BlobCache cache = cache(1 << 30);
                ReadableBytes bytes = cache.open(origin.digest(), origin)) {
            bytes.read(0, PartialBlob.BLOCK + 1);
        }
        Origin again = new Origin(1, BYTES);
        try (BlobCache cache = cache(1 << 30)) {
            assertArrayEquals(origin.content, all(cache.open(origin.digest(), again)));
        }
        assertEquals(100, again.fetched.get());
    }

    @Test
    void loadsAtATimeShareADownload() throws Exception {
        origin.held = new CountDownLatch(1);
        try (BlobCache cache = cache(1 << 30);
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            ReadableBytes one = cache.open(origin.digest(), origin);
            ReadableBytes other = cache.open(origin.digest(), origin);
            Future<byte[]> first = threads.submit(() -> all(one));
            Await.opened("the origin is asked", origin.asked);
            Future<byte[]> second = threads.submit(() -> all(other));
            origin.held.countDown();
            assertArrayEquals(origin.content, first.get());
            assertArrayEquals(origin.content, second.get());
            assertEquals(BYTES, origin.fetched.get());
        }
    }

    @Test
    void aWrongChecksumNamesFileAndRangeAndKeepsNothing() throws Exception {
        String wrong = "ab".repeat(32);
        try (BlobCache cache = cache(1 << 30)) {
            String message = assertThrows(IOException.class, () -> all(cache.open(wrong, origin)))
                    .getMessage();
            assertEquals(
                    "far: bytes 0-" + (BYTES - 1) + " have the SHA-256 " + origin.digest() + ", and the hub says "
                            + wrong + "; they were dropped",
                    message);
            assertEquals(0, Files.list(folder).count());
        }
    }

    @Test
    void leastRecentlyUsedBlobMakesRoom() throws Exception {
        Origin second = new Origin(2, BYTES);
        Origin third = new Origin(3, BYTES);
        try (BlobCache cache = cache(2L * BYTES + 10)) {
            all(cache.open(origin.digest(), origin));
            all(cache.open(second.digest(), second));
            Files.setLastModifiedTime(folder.resolve(second.digest()), FileTime.fromMillis(1000));
            all(cache.open(third.digest(), third));
        }
        assertTrue(Files.exists(folder.resolve(origin.digest())));
        assertFalse(Files.exists(folder.resolve(second.digest())));
        assertTrue(Files.exists(folder.resolve(third.digest())));
    }

    @Test
    void aFileThatIsLargerThanTheCacheIsReadFromItsOriginAndTold() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        try (BlobCache cache = new BlobCache(new SourceCache(folder, BYTES - 1), told::add)) {
            assertArrayEquals(origin.content, all(cache.open(origin.digest(), origin)));
        }
        assertEquals(0, Files.list(folder).count());
        assertEquals(
                List.of("far: it is not kept in the cache, and read from its origin each time: folder " + folder
                        + " (OUTPOST_RUNTIME_CACHE_FOLDER): " + BYTES
                        + " bytes do not fit beside those of files on their way"
                        + " into the " + (BYTES - 1) + " bytes of OUTPOST_RUNTIME_CACHE_BYTES"),
                told);
    }

    /** A channel that several threads use is closed by an interrupt of one of them; the cache's are not. */
    @Test
    void anInterruptedReaderHarmsNoOther() throws Exception {
        try (BlobCache cache = cache(1 << 30)) {
            ReadableBytes bytes = cache.open(origin.digest(), origin);
            bytes.read(0, 1);
            for (int round = 0; round < 50; round++) {
                Thread.currentThread().interrupt();
                assertEquals(origin.content[1], bytes.read(1, 1)[0]);
                assertTrue(Thread.interrupted());
            }
            assertArrayEquals(origin.content, all(bytes));
        }
    }

    /** If a load is cancelled, another load that waits for one of its blocks fetches the block itself. */
    @Test
    void aCancelledDownloadIsTakenOver() throws Exception {
        origin.held = new CountDownLatch(1);
        Origin others = new Origin(1, BYTES);
        try (BlobCache cache = cache(1 << 30);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ReadableBytes one = cache.open(origin.digest(), origin);
            ReadableBytes other = cache.open(origin.digest(), others);
            Thread first = Thread.ofVirtual().start(() -> assertThrows(IOException.class, () -> one.read(0, 1)));
            Await.opened("the origin is asked", origin.asked);
            Future<byte[]> second = threads.submit(() -> all(other));
            first.interrupt();
            assertArrayEquals(origin.content, second.get());
        }
    }

    /** All writes fail on this device, as those of a full disk do. */
    @Test
    void aFullDiskIsToldAndTheOriginIsRead() throws Exception {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.exists(full), "there is no /dev/full");
        List<String> told = new CopyOnWriteArrayList<>();
        Files.createSymbolicLink(folder.resolve(origin.digest() + ".part"), full);
        try (BlobCache cache = new BlobCache(new SourceCache(folder, 1 << 30), told::add)) {
            assertArrayEquals(origin.content, all(cache.open(origin.digest(), origin)));
        }
        assertEquals(1, told.size(), told::toString);
        assertTrue(
                told.getFirst()
                        .contains("folder " + folder + " (OUTPOST_RUNTIME_CACHE_FOLDER): No space left on device"),
                told::toString);
    }

    @Test
    void anotherRuntimeReadsFromTheOriginUntilTheFileIsWhole() throws Exception {
        Origin others = new Origin(1, BYTES);
        try (BlobCache cache = cache(1 << 30);
                BlobCache other = cache(1 << 30)) {
            ReadableBytes filling = cache.open(origin.digest(), origin);
            filling.read(0, 1);
            assertArrayEquals(origin.content, all(other.open(origin.digest(), others)));
            assertEquals(BYTES, others.fetched.get());
            all(filling);
            assertArrayEquals(origin.content, all(other.open(origin.digest(), others)));
            assertEquals(BYTES, others.fetched.get());
        }
    }

    @Test
    void aVolumeThatCannotBeUsedKeepsNothingFromBeingRead() throws Exception {
        Path file = Files.writeString(folder.resolve("a file"), "x");
        try (BlobCache cache = new BlobCache(new SourceCache(file, 1 << 30))) {
            assertArrayEquals(origin.content, all(cache.open(origin.digest(), origin)));
        }
    }
}
