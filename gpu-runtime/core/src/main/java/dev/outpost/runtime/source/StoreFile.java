package dev.outpost.runtime.source;

/**
 * A file of a store, as it was when it was listed.
 *
 * @param path from the source's place on, with slashes; never leads elsewhere
 * @param bytes its length
 * @param version another one whenever the contents are
 */
public record StoreFile(String path, long bytes, String version) {
    public StoreFile {
        requirePlain(path);
    }

    /** Fails for a path that leads elsewhere, or is none. */
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
