package dev.outpost.internal.trace;

import dev.outpost.autograd.Autocast;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.program.ProgramInput;
import dev.outpost.client.program.ProgramRecorder;
import dev.outpost.client.program.RemoteProgram;
import dev.outpost.client.program.TraceStart;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.internal.Cell;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.Node;
import dev.outpost.internal.graph.Variable;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Traces a function once. */
public final class Tracer {
    private static final TensorType ITERATION = new TensorType(DType.INT64, Shape.SCALAR);

    private final TensorDevice device;
    private final ProgramRecorder recorder;
    private final TracedMode mode;
    private final List<? extends TensorState> arguments;
    private final List<ProgramArgument> described;
    private final Map<Cell, Cell> inners = new IdentityHashMap<>();

    private Tracer(TensorDevice device, TracedMode mode, List<? extends TensorState> arguments) {
        this.device = device;
        this.recorder = device.recorder().trace(new TraceStart(Node.latest(), TensorScope::unscoped));
        this.mode = mode;
        this.arguments = arguments;
        this.described = ProgramArgument.of(arguments);
    }

    public static Traced trace(
            TensorDevice device, TracedBody body, List<? extends TensorState> arguments, TracedMode mode) {
        Tracer tracer = new Tracer(device, mode, arguments);
        // A trace serves all callers, so it ignores the caller's modes: autograd records and autocast is off.
        try (TensorScope scope = TensorScope.open(device.recorder())) {
            return tracer.recorder.inside(() -> GradMode.with(true, () -> Autocast.without(() -> tracer.run(body))));
        } finally {
            tracer.recorder.forget();
        }
    }

    private Traced run(TracedBody body) {
        List<TensorState> inputs = new ArrayList<>();
        List<RemoteValue> carried = new ArrayList<>();
        for (int index = 0; index < arguments.size(); index++) {
            inputs.add(input(index));
            carried.add(States.variable(inputs.get(index)).cell().value());
        }
        RemoteValue iteration = null;
        if (!mode.isCall()) {
            iteration = recorder.input(new ProgramInput.Iteration(), ITERATION);
            inputs.add(device.over(iteration));
        }
        List<TensorState> answers = List.copyOf(ArgumentChecks.requiredEach(
                body.apply(Collections.unmodifiableList(inputs)), "the list that the program's function answers"));
        TracedOutputs outputs = new TracedOutputs(recorder, mode);
        RemoteValue number = iteration;
        GradMode.with(false, () -> {
            collect(outputs, answers, carried, number);
            return null;
        });
        RemoteProgram program = recorder.finish(outputs.outputs(number));
        return new Traced(recorder, mode, described, program, outputs);
    }

    private void collect(
            TracedOutputs outputs,
            List<? extends TensorState> answers,
            List<RemoteValue> carried,
            RemoteValue iteration) {
        if (mode.isCall()) {
            outputs.call(answers);
        } else {
            outputs.scan(answers, carried, iteration);
        }
        outputs.places();
        outputs.arguments();
        outputs.storages();
    }

    /** Returns the tensor for an argument. Arguments that share a storage also share a storage inside the trace. */
    private TensorState input(int index) {
        Cell outer = States.cell(arguments.get(index));
        Cell inner = inners.computeIfAbsent(outer, given -> enter(given, index));
        Layout layout = described.get(index).layout();
        return States.tensor(new Variable(inner, layout), layout);
    }

    private Cell enter(Cell outer, int index) {
        RemoteValue entry = recorder.input(
                new ProgramInput.Argument(index), described.get(index).storage());
        Cell inner = Cell.over(device, entry);
        recorder.argument(outer, inner);
        return inner;
    }
}
