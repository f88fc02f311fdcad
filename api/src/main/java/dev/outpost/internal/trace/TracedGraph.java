package dev.outpost.internal.trace;

import dev.outpost.internal.Cell;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.Variable;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.types.Layout;
import java.util.List;

/**
 * A function as a graph. Publication stores it in another form.
 *
 * @param graph the instructions
 * @param code the instructions as bytes that {@code ProgramCode} reads; must not be changed
 * @param sources the sources of the graph's inputs, in their order
 * @param outputs the values of the graph that are the function's results
 */
public record TracedGraph(Graph graph, byte[] code, List<Source> sources, List<Integer> outputs) {
    /** The source of an input. */
    public sealed interface Source {
        /** An argument of the function. */
        record Argument(int index) implements Source {}

        /** A captured tensor. */
        record Captured(Cell cell) implements Source {
            /** Returns a new tensor over the captured value. The caller closes it; the captured tensor stays open. */
            public TensorState tensor() {
                Layout whole = Layout.contiguous(cell.handle().held().type().shape());
                return States.tensor(new Variable(cell.snapshot(), whole), whole);
            }
        }
    }

    /** Traces a function for arguments of the same kind. Their elements do not matter. */
    public static TracedGraph of(TensorDevice device, TracedBody body, List<? extends TensorState> arguments) {
        Traced traced = Tracer.trace(device, body, arguments, TracedMode.CALL);
        try {
            return traced.graph();
        } finally {
            traced.drop();
        }
    }
}
