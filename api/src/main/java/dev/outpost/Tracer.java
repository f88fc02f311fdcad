package dev.outpost;

import dev.outpost.client.Arguments;
import dev.outpost.client.ClientSession;
import dev.outpost.client.RemoteProgram;
import dev.outpost.client.RemoteValue;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Shape;
import dev.outpost.protocol.types.TensorType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Traces a function once. */
final class Tracer {
    private static final TensorType ITERATION = new TensorType(DType.INT64, Shape.SCALAR);

    private final Trace trace;
    private final TracedMode mode;
    private final List<Tensor> arguments;
    private final List<ProgramArgument> described;

    private Tracer(ClientSession session, TracedMode mode, List<Tensor> arguments) {
        this.trace = new Trace(session);
        this.mode = mode;
        this.arguments = arguments;
        this.described = ProgramArgument.of(arguments);
    }

    static Traced trace(RemoteMachine machine, Program.Body body, List<Tensor> arguments, TracedMode mode) {
        Tracer tracer = new Tracer(machine.session(), mode, arguments);
        // Autograd records in a program whatever the caller does: a trace serves all callers.
        try (Scope scope = machine.scope()) {
            return tracer.trace.inside(() -> GradMode.with(true, () -> tracer.run(body)));
        }
    }

    private Traced run(Program.Body body) {
        List<Tensor> inputs = new ArrayList<>();
        List<RemoteValue> carried = new ArrayList<>();
        for (int index = 0; index < arguments.size(); index++) {
            inputs.add(input(index));
            carried.add(inputs.get(index).variable().cell().value());
        }
        RemoteValue iteration = null;
        if (!mode.isCall()) {
            iteration = trace.input(new ProgramInput.Iteration(), ITERATION);
            inputs.add(Tensor.over(iteration));
        }
        List<Tensor> answers = List.copyOf(Arguments.requiredEach(
                body.apply(Collections.unmodifiableList(inputs)), "the list that the program's function answers"));
        TracedOutputs outputs = new TracedOutputs(trace, mode);
        RemoteValue number = iteration;
        GradMode.with(false, () -> {
            collect(outputs, answers, carried, number);
            return null;
        });
        RemoteProgram program = trace.recorder().finish(trace.numbers().columns(), outputs.outputs(number));
        return new Traced(trace, mode, described, program, outputs);
    }

    private void collect(
            TracedOutputs outputs, List<Tensor> answers, List<RemoteValue> carried, RemoteValue iteration) {
        if (mode.isCall()) {
            outputs.call(answers);
        } else {
            outputs.scan(answers, carried, iteration);
        }
        outputs.gradients();
        outputs.arguments();
        outputs.cells();
    }

    /** Arguments that share a storage do so inside. */
    private Tensor input(int index) {
        Cell outer = arguments.get(index).cell();
        Trace.ArgumentCell stand = trace.arguments().get(outer);
        if (stand == null) {
            RemoteValue entry = trace.input(
                    new ProgramInput.Argument(index), described.get(index).storage());
            stand = new Trace.ArgumentCell(Cell.over(entry), entry);
            trace.arguments().put(outer, stand);
        }
        return new Tensor(
                new Variable(stand.inner, described.get(index).layout()),
                described.get(index).layout());
    }
}
