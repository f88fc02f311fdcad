package dev.outpost.autograd;

import dev.outpost.internal.AnomalyDetector;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first op that produces a NaN, forward or backward (torch.autograd.set_detect_anomaly). The machine checks each op of this
 * thread. The client reads the check results once, at the end, so it does not wait in between. Ops take several times as long, so use
 * it for debugging only. It cannot be used while a program is traced.
 */
public final class Anomaly {
    private Anomaly() {}

    /** Runs the body. Throws if one of its ops produced a NaN; the message gives the first such op and the line that called it. */
    public static <T extends @Nullable Object> T detect(Supplier<T> body) {
        return AnomalyDetector.during(body);
    }

    /** Same as {@link #detect(Supplier)}. */
    public static void detect(Runnable body) {
        detect(() -> {
            body.run();
            return null;
        });
    }

    /** True if this thread detects anomalies. */
    public static boolean isEnabled() {
        return AnomalyDetector.isEnabled();
    }
}
