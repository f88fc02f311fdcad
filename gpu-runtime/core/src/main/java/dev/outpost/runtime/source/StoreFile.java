package dev.outpost.runtime.source;

/**
 * A file of a store, as it was when it was listed.
 *
 * @param path relative to the source's URI, with slashes; never leads outside of it
 * @param bytes the length of the file
 * @param version the version, which changes whenever the content changes
 */
public record StoreFile(String path, long bytes, String version) {
    public StoreFile {
        requirePlain(path);
    }

    /** Fails if a path is empty or leads outside of the source. */
    private static void requirePlain(String path) {
        for (String part : path.split("/", -1)) {
            boolean isPlain = !part.isEmpty()
                    && !part.equals(".")
                    && !part.equals("..")
                    && part.chars().noneMatch(c -> c == '\\' || c < ' ');
            if (!isPlain) {
                throw new IllegalArgumentException("expected a plain path within a source, got \"" + path + "\"");
            }
        }
    }
}
