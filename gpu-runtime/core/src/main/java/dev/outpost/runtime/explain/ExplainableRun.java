package dev.outpost.runtime.explain;

import dev.outpost.explain.Explanation;
import dev.outpost.protocol.ir.Bindings;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.message.ExplanationData;
import dev.outpost.protocol.message.ExplanationMessage;
import dev.outpost.runtime.plan.Plan;
import java.util.function.IntFunction;

/**
 * A run that can be explained.
 *
 * @param bindings the ids of the run's values
 * @param graph the graph with the scalars of the run
 * @param plan the plan that was run
 */
public record ExplainableRun(Bindings bindings, Graph graph, Plan plan) {
    /** The maximum number of bytes of an answer, unless one instruction alone takes more. */
    static final int MAX_ANSWER_BYTES = 2 << 20;

    int instructions() {
        return graph.instructions().size();
    }

    /** Returns the number of the value with an id; negative if the segment did not compute and keep it. */
    int place(long id) {
        long[] outputs = bindings.outputs();
        int output = 0;
        int inputs = graph.structure().inputCount();
        for (int result = 0; output < outputs.length; result++) {
            if (graph.structure().isKept(result) && outputs[output++] == id) {
                return inputs + result;
            }
        }
        return -1;
    }

    /** Explains how one value was computed. */
    ExplanationData explain(int place, TimedPlans times) {
        return shortened(nodes -> explainer(times).explain(place, nodes));
    }

    /** Explains how all values were computed. */
    public ExplanationData explain(TimedPlans times) {
        return shortened(nodes -> explainer(times).explainAll(nodes));
    }

    private Explainer explainer(TimedPlans times) {
        return new Explainer(bindings, graph, plan, times.of(plan));
    }

    /** Reduces the number of instructions until the answer is short enough. */
    private static ExplanationData shortened(IntFunction<Explanation> ofNodes) {
        int nodes = Explanation.MAX_NODES;
        ExplanationData told = ExplanationMessage.write(ofNodes.apply(nodes));
        while (told.getSerializedSize() > MAX_ANSWER_BYTES && nodes > 1) {
            nodes /= 2;
            told = ExplanationMessage.write(ofNodes.apply(nodes));
        }
        return told;
    }
}
