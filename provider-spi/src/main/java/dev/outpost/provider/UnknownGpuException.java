package dev.outpost.provider;

/** A GPU was asked for by a name that the catalogue does not have. */
public final class UnknownGpuException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    UnknownGpuException(String message) {
        super(message);
    }
}
