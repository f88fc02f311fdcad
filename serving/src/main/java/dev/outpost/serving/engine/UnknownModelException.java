package dev.outpost.serving.engine;

/** Thrown if no model has the name. */
public final class UnknownModelException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UnknownModelException(String name, Iterable<String> known) {
        super("The model `" + name + "` does not exist; there is " + String.join(", ", known));
    }
}
