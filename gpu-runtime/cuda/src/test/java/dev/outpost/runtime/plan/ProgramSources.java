package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.cuda.engine.SourceCollector;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/** The sources of the kernels of a planned program, in the order of their launches, without compiling them. */
public final class ProgramSources {
    private ProgramSources() {}

    /** Returns the sources of a program whose operands are dense. */
    public static List<String> of(Graph graph) {
        SourceCollector collector = new SourceCollector();
        try (Engine engine = collector.engine()) {
            List<Array> inputs = new ArrayList<>();
            for (int input = 0; input < graph.structure().inputCount(); input++) {
                TensorType type = graph.type(input);
                inputs.add(Array.contiguous(
                        engine.allocate(type.dtype(), type.shape().elements()), type.shape()));
            }
            new PlanRun(engine, Planner.of(engine), graph, inputs).run();
        }
        return collector.sources();
    }
}
