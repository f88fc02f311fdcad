package dev.outpost.gpucheck.engine;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.TensorType;
import java.util.stream.IntStream;

/** Graphs of a few instructions. */
final class OpGraphs {
    private OpGraphs() {}

    /** One instruction of inputs of these types. */
    static Graph of(Op op, TensorType... types) {
        GraphBuilder graph = new GraphBuilder(types);
        graph.add(op, IntStream.range(0, types.length).toArray());
        return graph.build();
    }

    /** Ops of one operand, each of what the one before computes. */
    static Graph chain(TensorType type, Op... ops) {
        GraphBuilder graph = new GraphBuilder(type);
        for (Op op : ops) {
            graph.add(op, graph.valueCount() - 1);
        }
        return graph.build();
    }
}
