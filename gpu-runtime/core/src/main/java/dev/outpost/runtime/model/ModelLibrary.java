package dev.outpost.runtime.model;

/** A library that runs models; found by {@link java.util.ServiceLoader}. Thread-safe. */
public interface ModelLibrary {
    /** Its display name, such as {@code ONNX Runtime 1.29.0}. */
    String name();

    /**
     * Returns a host for the models of a session. It uses memory only from the first opened model to the last closed
     * one.
     */
    ModelHost host();
}
