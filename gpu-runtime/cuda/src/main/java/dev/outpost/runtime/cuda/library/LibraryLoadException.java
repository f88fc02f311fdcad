package dev.outpost.runtime.cuda.library;

/** A native library that is not there or does not load. */
public final class LibraryLoadException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean missing;

    LibraryLoadException(String message, boolean missing) {
        super(message);
        this.missing = missing;
    }

    /** Whether there is no such file, rather than one that the loader refused. */
    public boolean isMissing() {
        return missing;
    }
}
