package dev.outpost.autograd;

import dev.outpost.internal.AnomalyDetector;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the first op that makes a NaN, forward or backward (torch.autograd.set_detect_anomaly). Each op of this thread is
 * checked on the machine; the answers are read once, at the end, so nothing waits in between. It takes several times as long as
 * without, and is for finding mistakes. Not for programs that are traced.
 */
public final class Anomaly {
    private Anomaly() {}

    /** Computes, and throws if an op inside made a NaN: which was the first, and where it was called. */
    public static <T extends @Nullable Object> T detect(Supplier<T> body) {
        return AnomalyDetector.during(body);
    }

    /** As {@link #detect(Supplier)}. */
    public static void detect(Runnable body) {
        detect(() -> {
            body.run();
            return null;
        });
    }

    /** Whether this thread looks for anomalies. */
    public static boolean isEnabled() {
        return AnomalyDetector.isEnabled();
    }
}
