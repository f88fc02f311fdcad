package dev.outpost.runtime.onnx;

import dev.outpost.runtime.model.ModelHost;
import dev.outpost.runtime.model.ModelOptions;
import dev.outpost.runtime.model.ModelValue;
import dev.outpost.runtime.model.OpenModel;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The models of a session. They are open in a separate process, which exists while any model is open. */
final class OnnxHost implements ModelHost {
    /** The longest time for opening a model. */
    private static final Duration OPENING = Duration.ofMinutes(2);

    private final Duration opening;
    private @Nullable ModelProcess process;

    OnnxHost() {
        this(OPENING);
    }

    /** @param opening the longest time for opening a model */
    OnnxHost(Duration opening) {
        this.opening = opening;
    }

    @Override
    public OpenModel open(ByteBuffer model, Map<String, ModelValue> weights, ModelOptions options) {
        ExternalData.refuse(model, weights.keySet());
        ModelProcess current = process;
        if (current == null || !current.reserve()) {
            current = ModelProcess.start();
            process = current;
        }
        boolean isOpen = false;
        try {
            OpenModel opened = current.open(model, weights, options, opening);
            isOpen = true;
            return opened;
        } finally {
            if (!isOpen) {
                current.release();
            }
        }
    }
}
