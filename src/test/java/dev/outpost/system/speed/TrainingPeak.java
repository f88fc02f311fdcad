package dev.outpost.system.speed;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.plan.rewrite.Rewrite;
import dev.outpost.runtime.plan.rewrite.RewriteContext;

/**
 * The peak bytes of a graph on the machine, predicted by its plan. The bench measures the same for larger trainings.
 *
 * @param bytes the bytes that the plan takes
 * @param minBytes the least bytes that any order of single instructions takes: {@link SmallestLiveSet}
 */
public record TrainingPeak(long bytes, long minBytes) {

    public static TrainingPeak of(Graph graph) throws InterruptedException {
        return new TrainingPeak(
                Counts.plan(graph).memory().peakBytes(),
                SmallestLiveSet.bytes(RewriteContext.of(graph, Rewrite.ALL, true)));
    }

    public double overLeast() {
        return (double) bytes / minBytes;
    }
}
