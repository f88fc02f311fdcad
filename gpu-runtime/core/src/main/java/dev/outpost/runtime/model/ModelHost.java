package dev.outpost.runtime.model;

import java.nio.ByteBuffer;
import java.util.Map;

/** Opens the models of one session. A model that ends the host harms no other session. One thread at a time opens models. */
public interface ModelHost {
    /**
     * Opens a model. All that it is opened from may be let go of when this returns.
     *
     * @param model its bytes, in a direct buffer
     * @param weights those that lie outside of it, by name
     * @throws dev.outpost.types.OutpostException of kind user where the model is not valid, or of kind resources
     */
    OpenModel open(ByteBuffer model, Map<String, ModelValue> weights, ModelOptions options);
}
