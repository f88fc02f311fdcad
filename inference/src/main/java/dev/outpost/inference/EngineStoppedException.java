package dev.outpost.inference;

/** Thrown if the engine has stopped: it was closed, or its machine failed. */
public final class EngineStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    EngineStoppedException(String message, Throwable cause) {
        super(message, cause);
    }
}
