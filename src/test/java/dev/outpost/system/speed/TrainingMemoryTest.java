package dev.outpost.system.speed;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.protocol.tape.Graph;
import dev.outpost.runtime.plan.rewrite.Draft;
import dev.outpost.runtime.plan.rewrite.Rewrite;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What training steps hold on the machine at their peak, as their plans tell before they run. It is to be near the least that
 * any order of their instructions could do with, though that knows of no kernel that needs all of its operands at once.
 */
class TrainingMemoryTest {
    private static final double MOST = 1.2;

    private final WatchedMachine watched = new WatchedMachine();

    @AfterEach
    void close() {
        watched.close();
    }

    @Test
    void ofAnMlp() throws InterruptedException {
        assertPeak(Trainings::mlp);
    }

    @Test
    void ofAConvolutionalNet() throws InterruptedException {
        assertPeak(Trainings::convolution);
    }

    @Test
    void ofATransformer() throws InterruptedException {
        assertPeak(Trainings::transformer);
    }

    private void assertPeak(Function<RemoteMachine, Runnable> training) throws InterruptedException {
        Runnable step = training.apply(watched.machine());
        // The first one makes the optimizer's state.
        step.run();
        for (Graph graph : watched.graphsOf(step)) {
            long peak = Counts.plan(graph).memory().peakBytes();
            long least = SmallestLiveSet.bytes(Draft.of(graph, Rewrite.ALL, true));
            assertTrue(peak <= MOST * least, () -> "a peak of " + peak + " bytes, where " + least + " would do");
        }
    }
}
