package dev.outpost.internal;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.client.program.HostStates;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
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

/** The search for the first op of a thread that makes a NaN; see {@link dev.outpost.autograd.Anomaly}. */
public final class AnomalyDetector {
    private static final ThreadLocal<AnomalyDetector> CURRENT = new ThreadLocal<>();
    /** The number of searches under way: an op pays one read of a field while there is none. */
    private static final AtomicInteger ACTIVE = new AtomicInteger();

    private record Check(String op, Tensor hasNan) {}

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
                        check -> Internals.home(check.hasNan), LinkedHashMap::new, Collectors.toList()));
        Set<Check> found = Collections.newSetFromMap(new IdentityHashMap<>());
        ofMachines.values().forEach(each -> collect(each, found));
        checks.stream().filter(found::contains).findFirst().ifPresent(first -> {
            throw new OutpostException(FaultKind.USER, "anomaly: the first NaN was made by " + first.op);
        });
    }

    /** Reads those of one machine together. */
    private static void collect(List<Check> ofMachine, Set<Check> found) {
        Tensor all = GradMode.noGrad(
                () -> Tensors.stack(ofMachine.stream().map(Check::hasNan).toList(), 0));
        try (all) {
            boolean[] isNan = all.toBooleanArray();
            for (int index = 0; index < isNan.length; index++) {
                if (isNan[index]) {
                    found.add(ofMachine.get(index));
                }
            }
        }
    }

    /** An op was recorded. */
    public static void recorded(Op op, Tensor[] results) {
        AnomalyDetector search = ofThread();
        if (search != null && !search.isPaused) {
            search.check(op, results);
        }
    }

    private void check(Op op, Tensor[] results) {
        HostStates.ofThread().refuseTraced("anomaly", "a program that is traced cannot be looked into op by op");
        isPaused = true;
        try {
            for (Tensor result : results) {
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

    private static Tensor nanFlag(Tensor result) {
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
