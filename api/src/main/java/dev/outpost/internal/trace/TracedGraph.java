package dev.outpost.internal.trace;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.internal.Cell;
import dev.outpost.internal.Internals;
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
            /** Its elements; waits. The tensor that was captured stays open. */
            public HostTensor read() {
                Layout whole = Layout.contiguous(cell.handle().held().type().shape());
                try (Tensor tensor = Internals.tensor(new Variable(cell.snapshot(), whole), whole)) {
                    return tensor.toHost();
                }
            }
        }
    }

    /** Traces a function over arguments like these, whose elements do not matter. */
    public static TracedGraph of(RemoteMachine machine, Program.Body body, List<Tensor> arguments) {
        Traced traced = Tracer.trace(machine, body, arguments, TracedMode.CALL);
        try {
            return traced.graph();
        } finally {
            traced.drop();
        }
    }
}
