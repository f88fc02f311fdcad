package dev.outpost.system.speed;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.PlanCache;
import dev.outpost.runtime.plan.Planner;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the peak bytes of training steps on the machine, as their plans predict them. The peak should be close to the minimum over all
 * orders of their instructions, although this minimum ignores that some kernels need all of their operands at the same time.
 */
class TrainingMemoryTest {
    private static final double MAX = 1.2;
    private static final double MAX_OF_A_PEAK = 1.15;

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

    /**
     * The bytes of a GPU's run: its inputs, the arena and the values that outlive the run, though parts of the inputs
     * may die meanwhile.
     */
    @Test
    void arenasAreNearThePeak() throws InterruptedException {
        for (Function<RemoteMachine, Runnable> training : List.<Function<RemoteMachine, Runnable>>of(
                Trainings::mlp, Trainings::convolution, Trainings::transformer)) {
            Runnable step = training.apply(watched.machine());
            step.run();
            for (Graph graph : watched.graphsOf(step)) {
                Plan plan = unitedPlan(graph);
                long taken = plan.memory().inputBytes()
                        + plan.arena().bytes()
                        + plan.arena().besideBytes();
                long peak = plan.memory().peakBytes();
                assertTrue(taken <= MAX_OF_A_PEAK * peak, () -> "takes " + taken + " bytes, at a peak of " + peak);
            }
        }
    }

    /** The plan for an engine that runs units. */
    private static Plan unitedPlan(Graph graph) throws InterruptedException {
        try (CpuEngine cpu = new CpuEngine(1, 0)) {
            Engine uniting = (Engine) Proxy.newProxyInstance(
                    Engine.class.getClassLoader(),
                    new Class<?>[] {Engine.class},
                    (_, method, arguments) -> method.getName().equals("unites") ? true : method.invoke(cpu, arguments));
            return new PlanCache(Planner.of(uniting), 1, () -> {})
                    .plan(graph, () -> {})
                    .plan();
        }
    }

    private void assertPeak(Function<RemoteMachine, Runnable> training) throws InterruptedException {
        Runnable step = training.apply(watched.machine());
        // The first step creates the optimizer's state.
        step.run();
        for (Graph graph : watched.graphsOf(step)) {
            TrainingPeak peak = TrainingPeak.of(graph);
            assertTrue(
                    peak.overLeast() <= MAX,
                    () -> "a peak of " + peak.bytes() + " bytes, where " + peak.minBytes() + " would do");
        }
    }
}
