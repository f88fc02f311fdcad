package dev.outpost.internal;

import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.client.program.HostStates;
import dev.outpost.internal.transfer.Reading;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the first op of a thread that produces a NaN; see {@link dev.outpost.autograd.Anomaly}. */
public final class AnomalyDetector {
    private static final ThreadLocal<AnomalyDetector> CURRENT = new ThreadLocal<>();
    /** The number of active searches. While it is 0, an op costs only one read of this field. */
    private static final AtomicInteger ACTIVE = new AtomicInteger();

    private record Check(String op, TensorState hasNan) {}

    private final List<Check> checks = new ArrayList<>();
    private @Nullable String backward;
    private boolean isPaused;

    private AnomalyDetector() {}

    public static <T extends @Nullable Object> T during(Supplier<T> body) {
        HostStates.ofThread().refuseTraced("anomaly", "a program that is traced cannot be looked into op by op");
        AnomalyDetector before = CURRENT.get();
        AnomalyDetector search = new AnomalyDetector();
        CURRENT.set(search);
        ACTIVE.incrementAndGet();
        try {
            T result = body.get();
            search.isPaused = true;
            search.report();
            return result;
        } finally {
            search.checks.forEach(check -> check.hasNan.close());
            ACTIVE.decrementAndGet();
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }

    public static boolean isEnabled() {
        return ofThread() != null;
    }

    private static @Nullable AnomalyDetector ofThread() {
        return ACTIVE.get() == 0 ? null : CURRENT.get();
    }

    private void report() {
        Map<TensorDevice, List<Check>> ofMachines = checks.stream()
                .collect(Collectors.groupingBy(
                        check -> States.home(check.hasNan), LinkedHashMap::new, Collectors.toList()));
        Set<Check> found = Collections.newSetFromMap(new IdentityHashMap<>());
        ofMachines.values().forEach(each -> collect(each, found));
        checks.stream().filter(found::contains).findFirst().ifPresent(first -> {
            throw new OutpostException(FaultKind.USER, "anomaly: the first NaN was made by " + first.op);
        });
    }

    /** Reads the checks of one machine together. */
    private static void collect(List<Check> ofMachine, Set<Check> found) {
        TensorState all = GradMode.noGrad(() -> OpRecording.apply(
                new Concat(0),
                ofMachine.stream()
                        .map(check -> StateViews.reshape(check.hasNan, Shape.of(1)))
                        .toArray(Operand[]::new)));
        try (all) {
            byte[] isNan = Reading.await(all);
            for (int index = 0; index < isNan.length; index++) {
                if (isNan[index] != 0) {
                    found.add(ofMachine.get(index));
                }
            }
        }
    }

    /** Called after an op was recorded. */
    public static void recorded(Op op, TensorState[] results) {
        AnomalyDetector search = ofThread();
        if (search != null && !search.isPaused) {
            search.check(op, results);
        }
    }

    private void check(Op op, TensorState[] results) {
        HostStates.ofThread().refuseTraced("anomaly", "a program that is traced cannot be looked into op by op");
        isPaused = true;
        try {
            for (TensorState result : results) {
                if (result.dtype().isFloating()) {
                    String where = SourceLine.ofCaller();
                    String what = op.label() + " " + result.shape();
                    checks.add(new Check(
                            backward == null ? what + " at " + where : what + ", in the backward of " + backward,
                            nanFlag(result)));
                }
            }
        } finally {
            isPaused = false;
        }
    }

    private static TensorState nanFlag(TensorState result) {
        return TensorScope.unscoped(() -> GradMode.noGrad(() -> {
            if (result.shape().isEmpty()) {
                return OpRecording.make(States.home(result), new Fill(Shape.SCALAR, Scalar.of(false)));
            }
            try (TensorState isNan = OpRecording.unary(Unary.IS_NAN, result)) {
                Axes all = Axes.all(result.shape().rank());
                return OpRecording.apply(new Reduce(Reduce.Fn.MAX, all, false), isNan);
            }
        }));
    }

    /** Returns the line of the program that records a node, for messages about its backward; null if no search is active. */
    public static @Nullable String line() {
        return isEnabled() ? SourceLine.ofCaller() : null;
    }

    /** Computes the backward of a node. */
    public static TensorState[] backwardOf(String label, @Nullable String line, Supplier<TensorState[]> body) {
        AnomalyDetector search = ofThread();
        if (search == null) {
            return body.get();
        }
        String before = search.backward;
        search.backward = label + (line == null ? "" : " at " + line);
        try {
            return body.get();
        } finally {
            search.backward = before;
        }
    }
}
