package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Pipeline;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.SGD;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.sharding.PipelineSchedule;
import dev.outpost.sharding.PipelineSchedule.Kind;
import dev.outpost.sharding.PipelineSchedule.Step;
import dev.outpost.sharding.Signal;
import dev.outpost.sharding.Signals;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests models in stages on disjoint workers. */
class GroupPipelineTest {
    private static final int ROWS = 16;
    private static final int WIDTH = 6;
    private static final int STAGES = 4;

    private static HostTensor random(int seed) {
        Random random = new Random(seed);
        float[] values = new float[ROWS * WIDTH];
        for (int index = 0; index < values.length; index++) {
            values[index] = (float) random.nextGaussian();
        }
        return HostTensor.of(values, ROWS, WIDTH);
    }

    private static Signals stages(int devices) {
        Map<String, Signal> signals = new LinkedHashMap<>();
        for (int device = 0; device < devices; device++) {
            signals.put("stage" + device, Signal.shard(0, List.of(device)));
        }
        return Signals.of(signals);
    }

    private static Tensor meanSquare(Tensor output, Tensor target) {
        return output.sub(target).pow(2).mean();
    }

    private static List<Linear> layers() {
        List<Linear> layers = new ArrayList<>();
        for (int layer = 0; layer < STAGES; layer++) {
            layers.add(new Linear(WIDTH, WIDTH));
        }
        return layers;
    }

    private static SGD optimizer(List<Linear> layers) {
        List<Parameter> parameters = new ArrayList<>();
        layers.forEach(layer -> parameters.addAll(layer.parameters()));
        return new SGD(parameters, 0.1);
    }

    /**
     * The results of three steps.
     *
     * @param gradients the gradients of all parameters in the last step
     */
    private record Trained(float[] losses, List<float[]> gradients) {
        static Trained of(float[] losses, List<Linear> layers) {
            List<float[]> gradients = new ArrayList<>();
            for (Linear layer : layers) {
                for (Parameter parameter : layer.parameters()) {
                    gradients.add(parameter.tensor().grad().toHost().toFloatArray());
                }
            }
            return new Trained(losses, gradients);
        }
    }

    private static Trained unpipelined() {
        try (var machine = RemoteMachine.of("mock", "A100")) {
            machine.manualSeed(3);
            List<Linear> layers = layers();
            layers.forEach(layer -> layer.to(machine));
            SGD optimizer = optimizer(layers);
            float[] losses = new float[3];
            for (int step = 0; step < losses.length; step++) {
                try (var scope = machine.scope()) {
                    Tensor x = machine.tensor(random(1));
                    for (Linear layer : layers) {
                        x = layer.forward(x).tanh();
                    }
                    Tensor loss = meanSquare(x, machine.tensor(random(2)));
                    optimizer.zeroGrad();
                    loss.backward();
                    optimizer.step();
                    losses[step] = (float) (double) loss.item();
                }
            }
            return Trained.of(losses, layers);
        }
    }

    private static Trained pipelined(MachineGroup group, Kind kind, int devices, int microBatches) {
        group.manualSeed(3);
        group.signals(stages(devices));
        List<Linear> layers = layers();
        layers.forEach(layer -> layer.to(group.machine()));
        List<Pipeline.Stage> stages = new ArrayList<>();
        for (int layer = 0; layer < STAGES; layer++) {
            String signal = "stage" + layer % devices;
            Linear own = layers.get(layer);
            own.to(group, signal);
            stages.add(new Pipeline.Stage(signal, x -> own.forward(x).tanh()));
        }
        Pipeline pipeline = new Pipeline(group, kind, microBatches, stages);
        SGD optimizer = optimizer(layers);
        float[] losses = new float[3];
        for (int step = 0; step < losses.length; step++) {
            try (var scope = group.scope()) {
                optimizer.zeroGrad();
                Tensor loss = pipeline.step(random(1), random(2), GroupPipelineTest::meanSquare);
                optimizer.step();
                losses[step] = (float) (double) loss.item();
            }
        }
        return Trained.of(losses, layers);
    }

    @Test
    void lossesAndGradientsAreThoseWithoutAPipeline() {
        Trained expected = unpipelined();
        for (Kind kind : Kind.values()) {
            int devices = kind == Kind.INTERLEAVED ? 2 : STAGES;
            try (var group = MachineGroup.of("mock", "A100", devices)) {
                Trained trained = pipelined(group, kind, devices, 4);
                assertArrayEquals(expected.losses(), trained.losses(), 1e-5f, kind.toString());
                for (int parameter = 0; parameter < expected.gradients().size(); parameter++) {
                    float[] gradient = expected.gradients().get(parameter);
                    assertArrayEquals(gradient, trained.gradients().get(parameter), 1e-5f, kind + " " + parameter);
                }
            }
        }
    }

    /** A stage's parameters and gradients stay on its worker, and only activations are sent. */
    @Test
    void eachStageRunsOnItsOwnWorker() {
        MockProvider provider = new MockProvider();
        try (var group = MachineGroup.of(provider, "A100", STAGES, new MachineOptions())) {
            pipelined(group, Kind.ONE_FORWARD_ONE_BACKWARD, STAGES, 4);
            long activations = 4L * ROWS * WIDTH;
            long crossings = 2L * (STAGES - 1);
            long parametersOfOthers = 4L * (STAGES - 1) * (WIDTH + 1) * WIDTH;
            assertTrue(
                    group.exchanges().stream()
                            .allMatch(each -> each.collective().equals("send")),
                    group::explain);
            group.synchronize();
            assertTrue(
                    provider.machines().stream()
                            .allMatch(machine -> machine.host().stats().work().kernels() > 0),
                    "every worker runs something");
            // Three steps; losses and the gradients of all stages but the first are read besides.
            long read = 3 * 4 + parametersOfOthers;
            assertEquals(3 * crossings * activations + read, group.stats().totalBytes(), group.explain());
        }
    }

    // ---- schedules

    @Test
    void bubblesAreThoseOfTheLiterature() {
        assertEquals(3.0 / 11, new PipelineSchedule(Kind.GPIPE, 4, 4, 8).theoreticalBubble(), 1e-9);
        for (PipelineSchedule schedule : List.of(
                new PipelineSchedule(Kind.GPIPE, 4, 4, 8),
                new PipelineSchedule(Kind.ONE_FORWARD_ONE_BACKWARD, 4, 4, 8),
                new PipelineSchedule(Kind.ONE_FORWARD_ONE_BACKWARD, 3, 3, 2),
                new PipelineSchedule(Kind.INTERLEAVED, 4, 8, 8),
                new PipelineSchedule(Kind.INTERLEAVED, 2, 6, 4))) {
            assertEquals(schedule.theoreticalBubble(), schedule.bubble(), 1e-9, schedule.toString());
        }
    }

    @Test
    void everyMicroBatchPassesEveryStageOnce() {
        PipelineSchedule schedule = new PipelineSchedule(Kind.INTERLEAVED, 2, 4, 4);
        List<Step> order = schedule.order();
        assertEquals(2 * 4 * 4, order.size());
        assertEquals(order.size(), order.stream().distinct().count());
        for (Step step : order) {
            if (!step.isBackward() && step.stage() > 0) {
                assertTrue(order.indexOf(new Step(step.stage() - 1, step.microBatch(), false)) < order.indexOf(step));
            }
        }
    }

    /** The number of micro-batches between forward and backward is at most the number of later stages. */
    @Test
    void oneForwardOneBackwardHoldsFewActivations() {
        PipelineSchedule schedule = new PipelineSchedule(Kind.ONE_FORWARD_ONE_BACKWARD, 4, 4, 8);
        int[] most = new int[4];
        for (int device = 0; device < 4; device++) {
            int held = 0;
            for (Step step : schedule.of(device)) {
                held += step.isBackward() ? -1 : 1;
                most[device] = Math.max(most[device], held);
            }
        }
        assertArrayEquals(new int[] {4, 3, 2, 1}, most, Arrays.toString(most));
    }

    @Test
    void theBubbleIsToldBesideThatOfTheLiterature() {
        assertEquals(
                "GPIPE: 4 stages on 4 devices, 8 micro-batches; devices wait 27.3 % of the time, in theory 27.3 %",
                new PipelineSchedule(Kind.GPIPE, 4, 4, 8).explain());
    }

    @Test
    void stagesThatDoNotFitAreRefused() {
        OutpostException refused =
                assertThrows(OutpostException.class, () -> new PipelineSchedule(Kind.GPIPE, 2, 4, 4));
        assertTrue(refused.getMessage().contains("4 stages on 2"), refused.getMessage());
    }
}
