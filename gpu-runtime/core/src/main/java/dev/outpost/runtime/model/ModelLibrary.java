package dev.outpost.runtime.model;

/** A library that runs models; found by {@link java.util.ServiceLoader}. Thread-safe. */
public interface ModelLibrary {
    /** Its name for people, such as {@code ONNX Runtime 1.29.0}. */
    String name();

    /** What opens the models of a session; takes nothing before the first is opened, and nothing after the last is closed. */
    ModelHost host();
}
