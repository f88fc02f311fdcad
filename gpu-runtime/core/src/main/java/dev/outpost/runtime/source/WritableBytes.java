package dev.outpost.runtime.source;

import java.io.IOException;

/** A file on its way to a store. Nobody sees any of it before it is committed. One thread at a time. */
public interface WritableBytes extends AutoCloseable {
    /** Appends bytes, which are the caller's again when this returns. */
    void write(byte[] bytes) throws IOException;

    /** The file is whole: from here on it is there. */
    void commit() throws IOException;

    /** Drops what was written, unless it was committed. */
    @Override
    void close() throws IOException;
}
