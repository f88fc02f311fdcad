package dev.outpost.provider;

/** No GPU of the catalogue has the requested name. */
public final class UnknownGpuException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    UnknownGpuException(String message) {
        super(message);
    }
}
