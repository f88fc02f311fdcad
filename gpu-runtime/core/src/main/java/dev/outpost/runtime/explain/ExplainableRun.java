package dev.outpost.runtime.explain;

import dev.outpost.explain.Explanation;
import dev.outpost.protocol.ir.Bindings;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.message.ExplanationData;
import dev.outpost.protocol.message.ExplanationMessage;
import dev.outpost.runtime.plan.Plan;
import java.util.function.IntFunction;

/**
 * A run that can be told of.
 *
 * @param bindings what its values were called
 * @param graph with the numbers of the run
 * @param plan by which it ran
 */
public record ExplainableRun(Bindings bindings, Graph graph, Plan plan) {
    /** The most bytes of an answer, unless one instruction alone takes more. */
    static final int MAX_ANSWER_BYTES = 2 << 20;

    int instructions() {
        return graph.instructions().size();
    }

    /** Which value an id stands for; negative when it is none that the segment computed and kept. */
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

    /** How one value was computed. */
    ExplanationData explain(int place, TimedPlans times) {
        return shortened(nodes -> explainer(times).explain(place, nodes));
    }

    /** How all of it was computed. */
    public ExplanationData explain(TimedPlans times) {
        return shortened(nodes -> explainer(times).explainAll(nodes));
    }

    private Explainer explainer(TimedPlans times) {
        return new Explainer(bindings, graph, plan, times.of(plan));
    }

    /** Tells less where it would be too long. */
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
