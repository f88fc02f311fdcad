package dev.outpost.internal.publish;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.tape.ProgramCode;
import dev.outpost.types.TensorType;
import java.util.List;

/**
 * A program as it was traced for inputs of certain types.
 *
 * @param code its instructions, as {@link ProgramCode} reads them; not to be written to
 * @param inputs the types of the arguments
 * @param sources for each input of the code an argument, or, as -1 and below, a captured value
 * @param outputs the values of the graph that are answered
 */
record StoredTrace(byte[] code, List<TensorType> inputs, List<Integer> sources, List<Integer> outputs) {
    StoredTrace {
        inputs = List.copyOf(inputs);
        sources = List.copyOf(sources);
        outputs = List.copyOf(outputs);
    }

    static int captured(int source) {
        return -1 - source;
    }

    /** The instructions, which are checked. */
    Graph graph(List<TensorType> captured) {
        TensorType[] types = sources.stream()
                .map(source -> source >= 0 ? inputs.get(source) : captured.get(captured(source)))
                .toArray(TensorType[]::new);
        return ProgramCode.read(code).segment().graph(types);
    }

    /** The types of what is answered. */
    List<TensorType> outputTypes(Graph graph) {
        return outputs.stream().map(graph::type).toList();
    }

    /** The size of the first dimension of the inputs; they have one. */
    long rows() {
        return inputs.getFirst().shape().size(0);
    }
}
