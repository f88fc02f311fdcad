package dev.outpost.inference;

/** Thrown if the engine has stopped because it was closed, or because its machine failed. */
public final class EngineStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    EngineStoppedException(String message, Throwable cause) {
        super(message, cause);
    }
}
