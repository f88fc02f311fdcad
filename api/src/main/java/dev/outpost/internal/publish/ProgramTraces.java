package dev.outpost.internal.publish;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.sharding.RowIndependence;
import dev.outpost.internal.Cell;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.trace.TracedGraph;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Traces a program for publication: for 1, 2, 4, … rows if the rows of its inputs do not affect each other, otherwise only
 * for the types of the inputs that it was called with.
 */
public final class ProgramTraces {
    /** The number of rows of the largest trace. */
    static final int MAX_ROWS = 32;

    private final RemoteMachine machine;
    private final Program.Body body;
    private final Map<Cell, Integer> places = new IdentityHashMap<>();
    private final List<HostTensor> captured = new ArrayList<>();

    private ProgramTraces(RemoteMachine machine, Program.Body body) {
        this.machine = machine;
        this.body = body;
    }

    /**
     * Traces a program and reads its captured values. Waits.
     *
     * @param types the types of the inputs that it was called with
     * @throws OutpostException if the program draws random numbers or writes something in place
     */
    public static ProgramFile of(RemoteMachine machine, Program.Body body, List<TensorType> types) {
        ProgramTraces traces = new ProgramTraces(machine, body);
        List<StoredTrace> byRows = haveRows(types) ? traces.byRows(types) : List.of();
        boolean isByRows = !byRows.isEmpty();
        List<StoredTrace> all = isByRows ? byRows : List.of(traces.stored(traces.trace(types), types));
        return new ProgramFile(isByRows, all, traces.captured);
    }

    private static boolean haveRows(List<TensorType> types) {
        return !types.isEmpty()
                && types.stream().allMatch(type -> type.shape().rank() > 0)
                && types.stream().map(type -> type.shape().size(0)).distinct().count() == 1;
    }

    /** Returns a trace for each row count; empty if rows depend on each other, or if the function accepts only one number of rows. */
    private List<StoredTrace> byRows(List<TensorType> types) {
        List<StoredTrace> traces = new ArrayList<>();
        try {
            for (int rows = 1; rows <= MAX_ROWS; rows *= 2) {
                List<TensorType> sized = sized(types, rows);
                TracedGraph traced = trace(sized);
                if (!isByRows(traced, rows)) {
                    return List.of();
                }
                traces.add(stored(traced, sized));
            }
            return traces;
        } catch (OutpostException failure) {
            if (failure.kind() != FaultKind.USER) {
                throw failure;
            }
            return List.of();
        }
    }

    private static List<TensorType> sized(List<TensorType> types, long rows) {
        return types.stream()
                .map(type -> {
                    long[] sizes = type.shape().toArray();
                    sizes[0] = rows;
                    return new TensorType(type.dtype(), Shape.of(sizes));
                })
                .toList();
    }

    private static boolean isByRows(TracedGraph traced, int rows) {
        boolean haveRows = traced.outputs().stream()
                .map(value -> traced.graph().type(value).shape())
                .allMatch(shape -> shape.rank() > 0 && shape.size(0) == rows);
        Set<Integer> inputs = IntStream.range(0, traced.sources().size())
                .filter(input -> traced.sources().get(input) instanceof TracedGraph.Source.Argument)
                .boxed()
                .collect(Collectors.toSet());
        return haveRows && (rows == 1 || RowIndependence.holds(traced.graph(), inputs, traced.outputs()));
    }

    private TracedGraph trace(List<TensorType> types) {
        try (Scope scope = machine.scope()) {
            List<Tensor> examples = types.stream()
                    .map(type -> machine.zeros(type.dtype(), type.shape().toArray()))
                    .toList();
            return TracedGraph.of(TensorDevice.of(machine), inputs -> body.apply(Dispatch.tensors(inputs)), examples);
        }
    }

    private StoredTrace stored(TracedGraph traced, List<TensorType> types) {
        List<Integer> sources = traced.sources().stream().map(this::source).toList();
        return new StoredTrace(traced.code(), types, sources, traced.outputs());
    }

    private int source(TracedGraph.Source source) {
        return switch (source) {
            case TracedGraph.Source.Argument argument -> argument.index();
            case TracedGraph.Source.Captured value -> -1 - place(value);
        };
    }

    private int place(TracedGraph.Source.Captured value) {
        return places.computeIfAbsent(value.cell(), cell -> {
            try (Tensor tensor = (Tensor) value.tensor()) {
                captured.add(tensor.toHost());
            }
            return captured.size() - 1;
        });
    }
}
