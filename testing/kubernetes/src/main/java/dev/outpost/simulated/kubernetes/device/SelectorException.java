package dev.outpost.simulated.kubernetes.device;

/** Thrown if a selector cannot be compiled, or reads a value that the device does not publish. The message is CEL's. */
public final class SelectorException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SelectorException(String message, Throwable cause) {
        super(message, cause);
    }
}
