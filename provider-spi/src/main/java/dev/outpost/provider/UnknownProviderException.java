package dev.outpost.provider;

/** No provider on the class path has the requested name. */
public final class UnknownProviderException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    UnknownProviderException(String message) {
        super(message);
    }
}
