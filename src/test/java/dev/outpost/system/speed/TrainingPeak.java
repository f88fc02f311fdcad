package dev.outpost.system.speed;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.plan.rewrite.Rewrite;
import dev.outpost.runtime.plan.rewrite.RewriteContext;

/**
 * The bytes that a graph holds on the machine at its peak, as its plan tells before it runs. The bench tells the same
 * of larger trainings.
 *
 * @param bytes that the plan takes
 * @param minBytes that any order of single instructions takes: {@link SmallestLiveSet}
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
