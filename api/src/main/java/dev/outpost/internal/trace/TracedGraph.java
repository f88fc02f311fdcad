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
 * A function as a graph, for what writes it in another form.
 *
 * @param graph its instructions
 * @param code the same as bytes, as {@code ProgramCode} reads them; not to be written to
 * @param sources of the graph's inputs, in their order
 * @param outputs the values of the graph that the function answers
 */
public record TracedGraph(Graph graph, byte[] code, List<Source> sources, List<Integer> outputs) {
    /** Where an input comes from. */
    public sealed interface Source {
        /** An argument of the function. */
        record Argument(int index) implements Source {}

        /** A tensor that it captured. */
        record Captured(Cell cell) implements Source {
            /** A tensor over its value, which the caller closes. The tensor that was captured stays open. */
            public TensorState tensor() {
                Layout whole = Layout.contiguous(cell.handle().held().type().shape());
                return States.tensor(new Variable(cell.snapshot(), whole), whole);
            }
        }
    }

    /** Traces a function over arguments like these, whose elements do not matter. */
    public static TracedGraph of(TensorDevice device, TracedBody body, List<? extends TensorState> arguments) {
        Traced traced = Tracer.trace(device, body, arguments, TracedMode.CALL);
        try {
            return traced.graph();
        } finally {
            traced.drop();
        }
    }
}
