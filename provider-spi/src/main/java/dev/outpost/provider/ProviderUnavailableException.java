package dev.outpost.provider;

/**
 * A provider cannot start machines on this host, because a part of it is not installed. A setting that is wrong is another {@link
 * IllegalArgumentException}.
 */
public final class ProviderUnavailableException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** @param message says how to install the part */
    public ProviderUnavailableException(String message) {
        super(message);
    }
}
