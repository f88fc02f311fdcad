package dev.outpost.runtime.cuda.library;

/** Thrown if a native library is missing or does not load. */
public final class LibraryLoadException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean missing;

    LibraryLoadException(String message, boolean missing) {
        super(message);
        this.missing = missing;
    }

    /** Returns true if there is no such file, and false if the loader refused it. */
    public boolean isMissing() {
        return missing;
    }
}
