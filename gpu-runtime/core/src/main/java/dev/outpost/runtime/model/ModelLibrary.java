package dev.outpost.runtime.model;

import java.nio.ByteBuffer;
import java.util.Map;

/** A library that runs models; found by {@link java.util.ServiceLoader}. Thread-safe. */
public interface ModelLibrary {
    /** Its name for people, such as {@code ONNX Runtime 1.29.0}. */
    String name();

    /**
     * Opens a model.
     *
     * @param model its bytes, in a direct buffer that lives as long as the model
     * @param weights those that lie outside of it, by name; they live as long as the model
     * @throws dev.outpost.types.OutpostException of kind user where the model is not valid, or of kind resources
     */
    OpenModel open(ByteBuffer model, Map<String, ModelValue> weights, ModelOptions options);
}
