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
 * Memory of two processes of one user on one host, with a {@link SharedRing} for each direction. It is a file in a folder that lies in
 * memory, which only this user may open. The process that makes it removes its name once the other one has opened it, so that
 * nothing is left behind by processes that are killed.
 */
final class SharedMemory {
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final String PREFIX = "outpost-peers-";
    /** In each direction. Four of the largest pieces, and little enough for a container's 64 MiB. */
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
     * A file that was made for two processes.
     *
     * @param memory what this process has of it
     */
    record Made(Path file, SharedMemory memory) {
        /** The other process has it, or never will. */
        void removeName() {
            try {
                Files.deleteIfExists(file);
            } catch (IOException ignored) {
                // A file of this user is left behind.
            }
        }
    }

    /** Empty where there is no such folder, or no room in it. */
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

    /** With zeros: so the memory is there, and no write to it can fail. */
    private static void fill(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocate(BYTES);
            while (zeros.hasRemaining()) {
                channel.write(zeros);
            }
        }
    }

    /** What another process of this user has made; empty where that is not here, as from another container. */
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

    /** It goes when nobody uses it any more: a thread that reads or writes may outlive the connection by a moment. */
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
