package dev.outpost.runtime.peer.network;

import dev.outpost.runtime.peer.ExchangeRun;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * Memory that two processes of one user on one host share, with a {@link SharedRing} for each direction. It is a file
 * in a memory file system that only this user may open. The process that creates the file deletes its name once the
 * other one has opened it, so that killed processes leave no file behind.
 */
final class SharedMemory {
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final String PREFIX = "outpost-peers-";
    /** The number of bytes in each direction: four of the largest pieces. A container's 64 MiB of shared memory suffice for this. */
    private static final int RING_BYTES = 4 * ExchangeRun.PIECE_BYTES;

    private static final int BYTES = 2 * (RING_BYTES + SharedRing.HEAD_BYTES);

    private final SharedRing outgoing;
    private final SharedRing incoming;

    private SharedMemory(MemorySegment memory, boolean isMaker) {
        SharedRing first = new SharedRing(memory.asSlice(0, BYTES / 2));
        SharedRing second = new SharedRing(memory.asSlice(BYTES / 2));
        outgoing = isMaker ? first : second;
        incoming = isMaker ? second : first;
    }

    /**
     * A file that was created for two processes.
     *
     * @param memory this process' view of it
     */
    record Made(Path file, SharedMemory memory) {
        /** Deletes the file's name. Called when the other process has opened the file or will never open it. */
        void removeName() {
            try {
                Files.deleteIfExists(file);
            } catch (IOException ignored) {
                // A file of this user remains.
            }
        }
    }

    /** Creates the memory. Returns empty if there is no such folder, or no room in it. */
    static Optional<Made> make() {
        Path file = null;
        try {
            file = Files.createTempFile(
                    FOLDER,
                    PREFIX,
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            fill(file);
            return Optional.of(new Made(file, new SharedMemory(map(file), true)));
        } catch (IOException | UnsupportedOperationException ignored) {
            if (file != null) {
                new Made(file, null).removeName();
            }
            return Optional.empty();
        }
    }

    /** Fills the file with zeros. This allocates its memory, so later writes cannot fail. */
    private static void fill(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocate(BYTES);
            while (zeros.hasRemaining()) {
                channel.write(zeros);
            }
        }
    }

    /**
     * Opens memory that another process of this user has created. Returns empty if it is not visible here, for example
     * because it belongs to another container.
     */
    static Optional<SharedMemory> open(Path file) {
        try {
            boolean isOurs = FOLDER.equals(file.getParent())
                    && file.getFileName().toString().startsWith(PREFIX)
                    && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.getOwner(file).equals(Files.getOwner(Path.of("/proc/self")))
                    && Files.size(file) == BYTES;
            return isOurs ? Optional.of(new SharedMemory(map(file), false)) : Optional.empty();
        } catch (IOException | RuntimeException ignored) {
            return Optional.empty();
        }
    }

    /**
     * Maps the file. The mapping is released when it is unreachable, because a thread that reads or writes may briefly
     * outlive the connection.
     */
    private static MemorySegment map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, Arena.ofAuto());
        }
    }

    SharedRing outgoing() {
        return outgoing;
    }

    SharedRing incoming() {
        return incoming;
    }

    void close() {
        outgoing.close();
        incoming.close();
    }
}
