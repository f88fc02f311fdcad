package dev.outpost.gpucheck.engine;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.TensorType;
import java.util.stream.IntStream;

/** Graphs of a few instructions. */
final class OpGraphs {
    private OpGraphs() {}

    /** Returns a graph of one instruction over inputs of these types. */
    static Graph of(Op op, TensorType... types) {
        GraphBuilder graph = new GraphBuilder(types);
        graph.add(op, IntStream.range(0, types.length).toArray());
        return graph.build();
    }

    /** Returns a chain of ops with one operand, each over the result of the previous one. */
    static Graph chain(TensorType type, Op... ops) {
        GraphBuilder graph = new GraphBuilder(type);
        for (Op op : ops) {
            graph.add(op, graph.valueCount() - 1);
        }
        return graph.build();
    }
}
