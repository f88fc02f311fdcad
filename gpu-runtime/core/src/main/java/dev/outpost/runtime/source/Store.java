package dev.outpost.runtime.source;

import dev.outpost.protocol.files.ReadableBytes;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/** A kind of place in which models are, such as folders or buckets. Safe for use by many threads. */
public interface Store extends AutoCloseable {
    /**
     * The files at a place and below, or the one file that it is.
     *
     * @param uri with one of the store's schemes
     * @throws SourceNotFoundException if there is nothing
     * @throws IOException if it cannot be seen; the message holds no secret
     * @throws dev.outpost.types.OutpostException when the place is none that the runtime may open
     */
    List<StoreFile> list(String uri) throws IOException;

    /**
     * Opens a file that was listed, in the version that was listed.
     *
     * @throws IOException also when it is another version by now
     */
    ReadableBytes open(String uri, StoreFile file) throws IOException;

    /**
     * Begins a file at a place.
     *
     * @param path within the place, plain as that of a {@link StoreFile}
     */
    default WritableBytes create(String uri, String path) throws IOException {
        throw new IOException("save: nothing is written to " + uri.substring(0, uri.indexOf(':') + 1));
    }

    /**
     * Removes a file that was listed; one that is gone already is no failure.
     *
     * @param path within the place, plain as that of a {@link StoreFile}
     */
    default void delete(String uri, String path) throws IOException {
        throw new IOException("delete: nothing is deleted from " + uri.substring(0, uri.indexOf(':') + 1));
    }

    /**
     * Removes what is left at a place of files that were begun and never became whole, as behind a killed process.
     *
     * @param isWanted of which files, by their paths within the place
     */
    default void deleteDrafts(String uri, Predicate<String> isWanted) throws IOException {}

    @Override
    default void close() {}
}
