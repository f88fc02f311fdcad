package dev.outpost.runtime.sources.hub;

import dev.outpost.protocol.files.ReadableBytes;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * An incomplete file of the cache. A map file next to it marks each stored block with a byte, so that the download
 * can continue after a restart. A lock on the map ensures that only one process fills the file. Thread-safe.
 */
final class PartialBlob implements AutoCloseable {
    static final int BLOCK = 4 << 20;

    private static final String PART = ".part";
    private static final String BLOCKS = ".blocks";

    private final Path whole;
    private final Path part;
    private final Path blocks;
    private final String digest;
    private final long bytes;
    private final FileChannel content;
    private final FileChannel map;
    private final Listener listener;
    private final ConcurrentHashMap<Integer, CompletableFuture<Void>> present = new ConcurrentHashMap<>();
    private final AtomicInteger missing;
    /** The reason why the downloaded bytes are wrong; null while no error is known. */
    private volatile String problem;
    /** True after a write to the folder failed. Afterwards all reads go to the origin. */
    private volatile boolean isStuck;

    /** Receives the events of a file that is being loaded. */
    interface Listener {
        /** Called when the file is complete or was dropped. */
        void done();

        /** Called when a write to the folder fails, for example because its disk is full. */
        void stuck(String name, IOException why);
    }

    /** The failure to write a block to the folder. */
    private static final class UnwrittenException extends IOException {
        private static final long serialVersionUID = 1;

        UnwrittenException(IOException why) {
            super(why.getMessage(), why);
        }
    }

    private PartialBlob(Path folder, String digest, long bytes, FileChannel map, Listener listener) throws IOException {
        this.whole = folder.resolve(digest);
        this.part = folder.resolve(digest + PART);
        this.blocks = folder.resolve(digest + BLOCKS);
        this.digest = digest;
        this.bytes = bytes;
        this.map = map;
        this.listener = listener;
        this.content =
                FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        int count = count();
        boolean isKnown = map.size() == count && content.size() <= bytes;
        ByteBuffer marks = ByteBuffer.allocate(isKnown ? count : 0);
        readFully(map, marks, 0);
        for (int block = 0; block < marks.limit(); block++) {
            if (marks.get(block) == 1) {
                present.put(block, CompletableFuture.completedFuture(null));
            }
        }
        if (!isKnown) {
            map.truncate(0);
            map.write(ByteBuffer.allocate(count), 0);
        }
        missing = new AtomicInteger(count - present.size());
    }

    /** Opens a file. Returns empty if another process, or another runtime of this process, fills it. */
    static Optional<PartialBlob> open(Path folder, String digest, long bytes, Listener listener) throws IOException {
        if (bytes == 0 || bytes / BLOCK >= Integer.MAX_VALUE - 1) {
            return Optional.empty();
        }
        FileChannel map = FileChannel.open(
                folder.resolve(digest + BLOCKS),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        PartialBlob blob = null;
        try {
            FileLock lock = map.tryLock();
            if (lock != null) {
                blob = new PartialBlob(folder, digest, bytes, map, listener);
            }
        } catch (OverlappingFileLockException ignored) {
            return Optional.empty();
        } finally {
            if (blob == null) {
                map.close();
            }
        }
        return Optional.ofNullable(blob);
    }

    /** Returns the files that may exist for a digest: complete, partial and block map. */
    static List<Path> files(Path folder, String digest) {
        return List.of(folder.resolve(digest), folder.resolve(digest + PART), folder.resolve(digest + BLOCKS));
    }

    long bytes() {
        return bytes;
    }

    private int count() {
        return Math.toIntExact(Math.ceilDiv(bytes, BLOCK));
    }

    private int length(int block) {
        return (int) Math.min(BLOCK, bytes - (long) block * BLOCK);
    }

    /** Returns a view of the file, which reads missing blocks from the origin. */
    ReadableBytes reading(ReadableBytes origin) {
        return new Reading(origin);
    }

    private final class Reading implements ReadableBytes {
        private final ReadableBytes origin;

        Reading(ReadableBytes origin) {
            this.origin = origin;
        }

        @Override
        public String name() {
            return origin.name();
        }

        @Override
        public long size() {
            return bytes;
        }

        @Override
        public void read(long position, byte[] target, int at, int length) throws IOException {
            if (length == 0) {
                return;
            }
            if (position < 0 || position + length > bytes) {
                throw new EOFException(name() + ": it has " + bytes + " bytes, and " + position + " to "
                        + (position + length) + " were requested");
            }
            try {
                int last = (int) ((position + length - 1) / BLOCK);
                for (int block = (int) (position / BLOCK); block <= last && !isStuck; block++) {
                    ensure(block, origin);
                }
            } catch (UnwrittenException failure) {
                isStuck = true;
                listener.stuck(name(), failure);
            }
            if (isStuck) {
                origin.read(position, target, at, length);
                return;
            }
            Uninterrupted.call(() -> {
                readFully(content, ByteBuffer.wrap(target, at, length), position);
                return null;
            });
            if (problem != null) {
                throw new IOException(problem);
            }
        }
    }

    private static void readFully(FileChannel channel, ByteBuffer target, long position) throws IOException {
        long at = position;
        while (target.hasRemaining()) {
            int read = channel.read(target, at);
            if (read < 0) {
                throw new EOFException("a file of the cache is shorter than it was");
            }
            at += read;
        }
    }

    /** Waits until a block is stored. Fetches it, unless another reader does. */
    private void ensure(int block, ReadableBytes origin) throws IOException {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        for (CompletableFuture<Void> first = present.putIfAbsent(block, mine);
                first != null;
                first = present.putIfAbsent(block, mine)) {
            if (await(first)) {
                return;
            }
        }
        try {
            fetch(block, origin);
            mine.complete(null);
        } catch (IOException | RuntimeException | Error failure) {
            present.remove(block, mine);
            if (isCancelled(failure)) {
                mine.cancel(false);
            } else {
                mine.completeExceptionally(failure);
            }
            throw failure;
        }
        if (missing.decrementAndGet() == 0) {
            Uninterrupted.call(() -> {
                finish(origin.name());
                return null;
            });
        }
    }

    /** True if this thread's load was cancelled. Some origins report this only by the cause of their exception. */
    private static boolean isCancelled(Throwable failed) {
        return Thread.currentThread().isInterrupted()
                || Stream.iterate(failed, Objects::nonNull, Throwable::getCause)
                        .anyMatch(cause ->
                                cause instanceof InterruptedException || cause instanceof ClosedByInterruptException);
    }

    /** Waits until another load has fetched a block. Returns false if that load was cancelled. */
    private static boolean await(CompletableFuture<Void> other) throws IOException {
        try {
            other.get();
            return true;
        } catch (CancellationException ignored) {
            return false;
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof UnwrittenException full) {
                throw full;
            }
            throw failure.getCause() instanceof IOException problem
                    ? new IOException(problem.getMessage(), problem)
                    : new IOException(failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    private void fetch(int block, ReadableBytes origin) throws IOException {
        long position = (long) block * BLOCK;
        ByteBuffer read = ByteBuffer.wrap(origin.read(position, length(block)));
        try {
            Uninterrupted.call(() -> {
                while (read.hasRemaining()) {
                    content.write(read, position + read.position());
                }
                // The block is written before its mark, so that a marked block is complete.
                return map.write(ByteBuffer.wrap(new byte[] {1}), block);
            });
        } catch (IOException failure) {
            throw new UnwrittenException(failure);
        }
    }

    /** Renames the file if its checksum is right, and deletes it otherwise. Called when all blocks are stored. */
    private void finish(String name) throws IOException {
        content.force(true);
        String actual = sha256();
        boolean isRight = actual.equals(digest);
        if (isRight) {
            Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.deleteIfExists(part);
        }
        Files.deleteIfExists(blocks);
        // Present readers continue with the open file, which is closed when the last one ends. New readers open the
        // complete file.
        listener.done();
        map.close();
        if (!isRight) {
            problem = name + ": bytes 0-" + (bytes - 1) + " have the SHA-256 " + actual + ", and the hub says " + digest
                    + "; they were dropped";
            throw new IOException(problem);
        }
    }

    private String sha256() throws IOException {
        try {
            MessageDigest sum = MessageDigest.getInstance("SHA-256");
            ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
            for (long at = 0; at < bytes; at += buffer.limit()) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), bytes - at));
                readFully(content, buffer, at);
                sum.update(buffer.flip());
            }
            return HexFormat.of().formatHex(sum.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Stops filling the file. The stored blocks remain for a later start. */
    @Override
    public void close() {
        try (map;
                content) {
            content.force(true);
        } catch (IOException ignored) {
            // Missing blocks are detected when the file is complete, and are fetched again.
            return;
        }
    }
}
