package dev.outpost.autograd;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.client.HostState;
import dev.outpost.client.SourceLine;
import dev.outpost.internal.Internals;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the first op that makes a NaN, forward or backward (torch.autograd.set_detect_anomaly). Each op of this thread is
 * checked on the machine; the answers are read once, at the end, so nothing waits in between. It takes several times as long as
 * without, and is for finding mistakes. Not for programs that are traced.
 */
public final class Anomaly {
    private static final ThreadLocal<Anomaly> CURRENT = new ThreadLocal<>();

    private record Check(String op, Tensor hasNan) {}

    private final List<Check> checks = new ArrayList<>();
    private @Nullable String backward;
    private boolean isPaused;

    private Anomaly() {}

    /** Computes, and throws if an op inside made a NaN: which was the first, and where it was called. */
    public static <T extends @Nullable Object> T detect(Supplier<T> body) {
        HostState.ofThread().refuseTraced("anomaly", "a program that is traced cannot be looked into op by op");
        Anomaly before = CURRENT.get();
        Anomaly anomaly = new Anomaly();
        CURRENT.set(anomaly);
        try {
            T result = body.get();
            anomaly.isPaused = true;
            anomaly.report();
            return result;
        } finally {
            anomaly.checks.forEach(check -> check.hasNan.close());
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
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
        return CURRENT.get() != null;
    }

    private void report() {
        if (checks.isEmpty()) {
            return;
        }
        Tensor all = GradMode.noGrad(
                () -> Tensors.stack(checks.stream().map(Check::hasNan).toList(), 0));
        try (all) {
            boolean[] found = all.toBooleanArray();
            for (int index = 0; index < found.length; index++) {
                if (found[index]) {
                    throw new OutpostException(
                            FaultKind.USER, "anomaly: the first NaN was made by " + checks.get(index).op);
                }
            }
        }
    }

    // ---- called by the library

    /** An op was recorded. */
    public static void recorded(Op op, Tensor[] results) {
        Anomaly anomaly = CURRENT.get();
        if (anomaly != null && !anomaly.isPaused) {
            anomaly.check(op, results);
        }
    }

    private void check(Op op, Tensor[] results) {
        HostState.ofThread().refuseTraced("anomaly", "a program that is traced cannot be looked into op by op");
        isPaused = true;
        try {
            for (Tensor result : results) {
                if (result.dtype().isFloating()) {
                    String where = SourceLine.ofCaller();
                    String what = op.label() + " " + result.shape();
                    checks.add(new Check(
                            backward == null ? what + " at " + where : what + ", in the backward of " + backward,
                            hasNan(result)));
                }
            }
        } finally {
            isPaused = false;
        }
    }

    private static Tensor hasNan(Tensor result) {
        return Internals.unscoped(() -> GradMode.noGrad(() -> {
            try (Tensor isNan = result.isnan()) {
                return isNan.any();
            }
        }));
    }

    /** Where a node of the graph was recorded, for its backward; null while nothing is looked for. */
    public static @Nullable String line() {
        return isEnabled() ? SourceLine.ofCaller() : null;
    }

    /** Computes the backward of a node. */
    public static Tensor[] backwardOf(String label, @Nullable String line, Supplier<Tensor[]> body) {
        Anomaly anomaly = CURRENT.get();
        if (anomaly == null) {
            return body.get();
        }
        String before = anomaly.backward;
        anomaly.backward = label + (line == null ? "" : " at " + line);
        try {
            return body.get();
        } finally {
            anomaly.backward = before;
        }
    }
}
