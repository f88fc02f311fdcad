package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.SignalScope;
import dev.outpost.Tensor;
import dev.outpost.nn.Linear;
import dev.outpost.optim.SGD;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.sharding.Mesh;
import dev.outpost.sharding.Signal;
import dev.outpost.sharding.Signals;
import dev.outpost.support.tests.PlainNames;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signals: parts of a program that are placed by name. */
class GroupSignalsTest {
    private static final String YAML = """
            forward_layer1:
              shard: {axis: 0, workers: [0, 1, 2, 3]}      # batch over four workers
              backward: backward_layer1                    # gradients by another configuration
              compile: true                                # a boundary of planning
            backward_layer1: {shard: {axis: 0, workers: [2, 3]}}
            pipeline_stage_1: {shard: {axis: 0, workers: [0, 1]}, backward: pipeline_stage_1_bwd}
            pipeline_stage_1_bwd: {shard: {axis: 0, workers: [2, 3]}}
            attention: {mesh: [data, model], spec: {activations: [data, null, model], weights: [null, model]}}
            embedding: {replicated: true}
            meshes: {default: {data: 2, model: 2}}
            """;

    private static final int BATCH = 12;
    private static final int FEATURES = 5;

    @TempDir
    Path folder;

    private static HostTensor images() {
        Random random = new Random(3);
        float[] values = new float[BATCH * FEATURES];
        for (int index = 0; index < values.length; index++) {
            values[index] = (float) random.nextGaussian();
        }
        return HostTensor.of(values, BATCH, FEATURES);
    }

    private Path file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("sharding.yaml"), yaml);
    }

    // ---- configuration

    @Test
    void aFileIsReadAsItSays() throws IOException {
        Signals signals = Signals.read(file(YAML), 4);
        assertEquals(
                Signal.shard(0, List.of(0, 1, 2, 3)).backward("backward_layer1").compile(),
                signals.get("forward_layer1"));
        assertEquals(Signal.replicated(), signals.get("embedding"));
        assertEquals(
                Mesh.of(Map.of("data", 2, "model", 2)).size(),
                signals.meshes().get("default").size());
        assertEquals(
                List.of(List.of(0, 2), List.of(1, 3)),
                signals.meshes().get("default").groups("data"));
    }

    @Test
    void badFileIsRefusedByLineAndColumn() {
        assertRefused("a: {shrd: 1}", "y.yaml:1:5: signal a: unknown key shrd; known are shard, replicated");
        assertRefused("a:\n  shard: {axis: 0, workers: [0, 4]}", "y.yaml:2:33: expected ranks from 0 to 3, got 4");
        assertRefused(
                "a:\n  shard: {axis: -1, workers: [0]}", "y.yaml:2:17: axis: expected a number from 0 on, got -1");
        assertRefused("a: {backward: b}", "y.yaml:1:15: signal a: backward signal b is not configured");
        assertRefused("a: {replicated: yes}", "y.yaml:1:17: replicated: expected true or false, got yes");
        assertRefused("a: {mesh: [rows]}", "y.yaml:1:12: axis rows is of no mesh");
        assertRefused("meshes: {default: {data: 8}}", "expected axes of 1 to 4 workers together, got 8");
        assertRefused("a: {spec: {x: [data]}}", "y.yaml:1:11: signal a: a spec is of a mesh, got none");
        assertRefused(
                "meshes: {m: {data: 2}}\na: {mesh: [data], spec: {inputs: [data]}}",
                "y.yaml:2:26: spec: unknown key inputs; known are activations, weights");
        assertRefused("a: [", "y.yaml:1:5");
    }

    private static void assertRefused(String yaml, String expected) {
        OutpostException refused = assertThrows(OutpostException.class, () -> Signals.parse("y.yaml", yaml, 4));
        assertTrue(refused.getMessage().contains(expected), refused.getMessage());
    }

    @Test
    void aSignalThatIsNotThereIsRefused() {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            group.signals(Signals.of(Map.of("a", Signal.replicated())));
            OutpostException refused = assertThrows(OutpostException.class, () -> group.signal("b"));
            assertEquals("signal b is not configured; configured are [a]", refused.getMessage());
        }
    }

    // ---- scopes

    @Test
    void scopesNestAndAChangeTakesEffectAtTheNext() throws IOException {
        try (var group = MachineGroup.of("mock", "A100", 4)) {
            group.signals(file(YAML));
            HostTensor values = images();
            try (SignalScope outer = group.signal("forward_layer1")) {
                assertEquals("forward_layer1", outer.name());
                assertEquals(
                        List.of(0, 1, 2, 3), group.tensor(values).placement().workers());
                try (SignalScope inner = group.signal("pipeline_stage_1")) {
                    assertEquals(List.of(0, 1), group.tensor(values).placement().workers());
                    group.signals(Signals.of(Map.of("forward_layer1", Signal.shard(1, List.of(3)))));
                    assertEquals(List.of(0, 1), group.tensor(values).placement().workers());
                }
                assertEquals(
                        List.of(0, 1, 2, 3), group.tensor(values).placement().workers());
            }
            assertEquals(
                    List.of(3),
                    group.tensor(values, "forward_layer1").placement().workers());
            assertEquals(
                    "replicate on [0, 1, 2, 3]",
                    group.tensor(values).placement().toString());
        }
    }

    @Test
    void enterAndExitAreToMatch() throws IOException {
        try (var group = MachineGroup.of("mock", "A100", 4)) {
            group.signals(file(YAML));
            OutpostException none = assertThrows(OutpostException.class, () -> group.exit("embedding"));
            assertEquals(
                    "exit: expected no signal, as none is open on this thread, got embedding of mock-A100x4",
                    PlainNames.in(none.getMessage()));
            group.enter("embedding");
            group.enter("forward_layer1");
            OutpostException other = assertThrows(OutpostException.class, () -> group.exit("embedding"));
            assertEquals(
                    "exit: expected signal forward_layer1 of mock-A100x4, got embedding of mock-A100x4",
                    PlainNames.in(other.getMessage()));
            group.exit("forward_layer1");
            group.exit("embedding");
        }
    }

    @Test
    void aSignalIsOfItsThread() throws IOException, InterruptedException, ExecutionException {
        try (var group = MachineGroup.of("mock", "A100", 4);
                var other = Executors.newSingleThreadExecutor()) {
            group.signals(file(YAML));
            try (SignalScope scope = group.signal("pipeline_stage_1")) {
                List<Integer> elsewhere = other.submit(
                                () -> group.tensor(images()).placement().workers())
                        .get();
                assertEquals(List.of(0, 1, 2, 3), elsewhere);
                assertEquals(List.of(0, 1), group.tensor(images()).placement().workers());
            }
        }
    }

    // ---- placement of work

    @Test
    void opsRunOnTheWorkersOfTheirSignal() throws IOException {
        MockProvider provider = new MockProvider();
        try (var group = MachineGroup.of(provider, "A100", 4, new MachineOptions())) {
            group.signals(file(YAML));
            Tensor x = group.tensor(images(), "pipeline_stage_1");
            assertEquals("shard(0) at [0, 6, 12] on [0, 1]", x.placement().toString());
            Tensor whole;
            try (SignalScope stage = group.signal("pipeline_stage_1_bwd")) {
                Tensor y = x.mul(2);
                assertEquals("shard(0) at [0, 6, 12] on [2, 3]", y.placement().toString());
                try (SignalScope replicated = group.signal("embedding")) {
                    whole = y.add(1);
                }
            }
            assertEquals("replicate on [0, 1, 2, 3]", whole.placement().toString());
            float[] expected = images().toFloatArray();
            for (int index = 0; index < expected.length; index++) {
                expected[index] = expected[index] * 2 + 1;
            }
            assertArrayEquals(expected, whole.toHost().toFloatArray());
        }
    }

    @Test
    void opsOfBackwardRunOnTheWorkersOfTheBackwardSignal() throws IOException {
        MockProvider provider = new MockProvider();
        try (var group = MachineGroup.of(provider, "A100", 4, new MachineOptions())) {
            group.signals(file(YAML));
            Tensor weight = group.replicated(
                            HostTensor.of(new float[] {1, -2, 3, 4, 0.5f}, FEATURES, 1), List.of(0, 1, 2, 3))
                    .requiresGrad(true);
            Tensor loss;
            try (SignalScope stage = group.signal("pipeline_stage_1")) {
                loss = group.tensor(images()).matmul(weight).tanh().sum();
            }
            double value = (double) loss.item();
            group.synchronize();
            long[] forward = kernels(provider);
            loss.backward();
            Tensor gradient = weight.grad();
            assertEquals(List.of(2, 3), gradient.placement().workers());
            group.synchronize();
            long[] both = kernels(provider);
            assertEquals(2, Arrays.stream(forward).filter(count -> count > 0).count(), Arrays.toString(forward));
            for (int machine = 0; machine < 4; machine++) {
                // Members that were idle in the forward part differentiate it, and the others do nothing.
                assertEquals(forward[machine] == 0, both[machine] > forward[machine], Arrays.toString(both));
            }
            try (var alone = RemoteMachine.of("mock", "A100")) {
                Tensor same = alone.tensor(HostTensor.of(new float[] {1, -2, 3, 4, 0.5f}, FEATURES, 1))
                        .requiresGrad(true);
                Tensor expected = alone.tensor(images()).matmul(same).tanh().sum();
                expected.backward();
                assertEquals((double) expected.item(), value, 1e-5);
                assertArrayEquals(
                        same.grad().toHost().toFloatArray(), gradient.toHost().toFloatArray(), 1e-5f);
            }
        }
    }

    private static long[] kernels(MockProvider provider) {
        return provider.machines().stream()
                .mapToLong(machine -> machine.host().stats().work().kernels())
                .toArray();
    }

    /** The gradients are on two workers, the parameters on four. */
    @Test
    void trainingByOtherWorkersInBackwardIsThatOfOneMachine() throws IOException {
        float[] alone;
        try (var machine = RemoteMachine.of("mock", "A100")) {
            alone = trained(machine, null, false);
        }
        for (boolean isProgram : new boolean[] {false, true}) {
            try (var group = MachineGroup.of("mock", "A100", 4)) {
                group.signals(file(YAML));
                assertArrayEquals(alone, trained(group.machine(), group, isProgram), 1e-5f, "program " + isProgram);
            }
        }
    }

    private static float[] trained(RemoteMachine machine, MachineGroup group, boolean isProgram) {
        machine.manualSeed(4);
        Linear layer = (Linear) new Linear(FEATURES, 3).to(machine);
        SGD optimizer = new SGD(layer.parameters(), 0.1);
        Tensor x = machine.tensor(images());
        Program.Body body = inputs -> {
            optimizer.zeroGrad();
            Tensor loss;
            if (group == null) {
                loss = layer.forward(inputs.getFirst()).tanh().sum();
            } else {
                try (SignalScope scope = group.signal("forward_layer1")) {
                    loss = layer.forward(group.tensor(inputs.getFirst(), "forward_layer1"))
                            .tanh()
                            .sum();
                }
            }
            loss.backward();
            optimizer.step();
            return List.of(loss);
        };
        Program program = machine.program(body);
        for (int step = 0; step < 3; step++) {
            List<Tensor> results = isProgram ? program.call(x) : body.apply(List.of(x));
            results.getFirst().item();
        }
        return layer.parameters().getFirst().tensor().toHost().toFloatArray();
    }
}
