package dev.outpost.runtime.source;

import dev.outpost.protocol.files.ReadableBytes;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/** A kind of storage for models, such as folders or buckets. Thread-safe. */
public interface Store extends AutoCloseable {
    /**
     * Lists the files at and below a URI, or the single file at it.
     *
     * @param uri a URI with one of the store's schemes
     * @throws SourceNotFoundException if no file is at or below the URI
     * @throws IOException if the store cannot be read; the message contains no secret
     * @throws dev.outpost.types.OutpostException if the runtime may not open the URI
     */
    List<StoreFile> list(String uri) throws IOException;

    /**
     * Opens a file that was listed, in the version that was listed.
     *
     * @throws IOException if the file cannot be opened, or has changed since
     */
    ReadableBytes open(String uri, StoreFile file) throws IOException;

    /**
     * Creates a file.
     *
     * @param path the path relative to the URI, as in a {@link StoreFile}
     */
    default WritableBytes create(String uri, String path) throws IOException {
        throw new IOException("save: nothing is written to " + uri.substring(0, uri.indexOf(':') + 1));
    }

    /**
     * Deletes a file that was listed. Succeeds if the file is gone already.
     *
     * @param path the path relative to the URI, as in a {@link StoreFile}
     */
    default void delete(String uri, String path) throws IOException {
        throw new IOException("delete: nothing is deleted from " + uri.substring(0, uri.indexOf(':') + 1));
    }

    /**
     * Deletes the remains of files, at and below a URI, that were begun and never committed, for example by a killed process.
     *
     * @param isWanted returns true for the relative paths of the files to delete
     */
    default void deleteDrafts(String uri, Predicate<String> isWanted) throws IOException {}

    @Override
    default void close() {}
}
