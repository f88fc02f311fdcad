package dev.outpost.provider;

/** A provider was asked for by a name that nothing on the class path answers to. */
public final class UnknownProviderException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    UnknownProviderException(String message) {
        super(message);
    }
}
