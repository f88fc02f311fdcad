package dev.outpost.runtime.onnx;

import dev.outpost.runtime.model.ModelHost;
import dev.outpost.runtime.model.ModelOptions;
import dev.outpost.runtime.model.ModelValue;
import dev.outpost.runtime.model.OpenModel;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The models of a session, in a process of their own that is there while any is open. */
final class OnnxHost implements ModelHost {
    /** How long a model may take to be opened. */
    private static final Duration OPENING = Duration.ofMinutes(2);

    private final Duration opening;
    private @Nullable ModelProcess process;

    OnnxHost() {
        this(OPENING);
    }

    /** @param opening how long a model may take to be opened */
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
