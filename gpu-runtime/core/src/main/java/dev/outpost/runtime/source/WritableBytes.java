package dev.outpost.runtime.source;

import java.io.IOException;

/** A file that is being written to a store. It is invisible before it is committed. Used by one thread at a time. */
public interface WritableBytes extends AutoCloseable {
    /** Appends bytes. The caller may reuse the array afterwards. */
    void write(byte[] bytes) throws IOException;

    /** Makes the complete file visible. */
    void commit() throws IOException;

    /** Drops the written bytes, unless they were committed. */
    @Override
    void close() throws IOException;
}
