package dev.outpost.runtime.model;

import java.nio.ByteBuffer;
import java.util.Map;

/**
 * Opens the models of one session. If a model crashes its host, other sessions are not affected. One thread at a time
 * opens models.
 */
public interface ModelHost {
    /**
     * Opens a model. The caller may release all arguments when this returns.
     *
     * @param model the bytes of the model, in a direct buffer
     * @param weights the weights that are stored outside of the model, by name
     * @throws dev.outpost.types.OutpostException of kind user if the model is not valid, or of kind resources
     */
    OpenModel open(ByteBuffer model, Map<String, ModelValue> weights, ModelOptions options);
}
