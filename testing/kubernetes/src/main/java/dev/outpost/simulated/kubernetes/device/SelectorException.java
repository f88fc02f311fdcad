package dev.outpost.simulated.kubernetes.device;

/** A selector that cannot be compiled, or that reads a value which a device does not publish. The message is CEL's. */
public final class SelectorException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SelectorException(String message, Throwable cause) {
        super(message, cause);
    }
}
