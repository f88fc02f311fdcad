package dev.outpost.internal.publish;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.tape.ProgramCode;
import dev.outpost.types.TensorType;
import java.util.List;

/**
 * The trace of a program for inputs of certain types.
 *
 * @param code the instructions in the form that {@link ProgramCode} reads; must not be changed
 * @param inputs the types of the arguments
 * @param sources for each input of the code, the index of an argument, or, if negative, a captured value
 * @param outputs the values of the graph that are the results
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

    /** Parses and validates the instructions. */
    Graph graph(List<TensorType> captured) {
        TensorType[] types = sources.stream()
                .map(source -> source >= 0 ? inputs.get(source) : captured.get(captured(source)))
                .toArray(TensorType[]::new);
        return ProgramCode.read(code).segment().graph(types);
    }

    List<TensorType> outputTypes(Graph graph) {
        return outputs.stream().map(graph::type).toList();
    }

    /** Returns the size of the first dimension of the inputs. */
    long rows() {
        return inputs.getFirst().shape().size(0);
    }
}
