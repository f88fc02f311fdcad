package dev.outpost.data;

import dev.outpost.types.OpException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;

/**
 * A file that several threads read. An interrupt of a thread that reads closes the channel for all, so the file is opened again.
 * Thread-safe.
 */
final class ReopenedFile<F extends Closeable> {
    /** Opens the file. */
    interface Opener<F> {
        F open(Path path) throws IOException;
    }

    /** Reads from the open file. */
    interface Reading<F, T> {
        T from(F opened) throws IOException;
    }

    private final String owner;
    private final Path path;
    private final Opener<F> opener;
    private F opened;
    private boolean isClosed;

    /** @param owner the class that errors name */
    ReopenedFile(String owner, Path path, Opener<F> opener, F opened) {
        this.owner = owner;
        this.path = path;
        this.opener = opener;
        this.opened = opened;
    }

    /** @throws UncheckedIOException if the file cannot be read */
    <T> T read(Reading<F, T> reading) {
        try {
            F source = source();
            try {
                return reading.from(source);
            } catch (ClosedChannelException failure) {
                return reading.from(reopened(source, failure));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(owner + ": " + path + " cannot be read", failure);
        }
    }

    private synchronized F source() {
        if (isClosed) {
            throw new OpException(owner, path + " is closed");
        }
        return opened;
    }

    private synchronized F reopened(F broken, ClosedChannelException failure) throws IOException {
        if (isClosed || Thread.currentThread().isInterrupted()) {
            throw failure;
        }
        if (opened == broken) {
            broken.close();
            opened = opener.open(path);
        }
        return opened;
    }

    synchronized void close() throws IOException {
        isClosed = true;
        opened.close();
    }
}
