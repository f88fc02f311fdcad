package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.nn.Init;
import dev.outpost.nn.Linear;
import dev.outpost.optim.Adam;
import dev.outpost.optim.SGD;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.sharding.Sharding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cut parameter stays cut whatever is written to it, and so does the state of its optimizer. */
class ShardedStateTest {
    private static final List<Integer> ALL = List.of(0, 1, 2);

    private final MachineGroup group = MachineGroup.of("mock", "A100", ALL.size());

    @AfterEach
    void end() {
        group.close();
    }

    private Linear sharded() {
        Linear linear = new Linear(5, 7);
        linear.fullyShard(group);
        return linear;
    }

    private static void assertCut(String what, Tensor tensor) {
        assertEquals(Sharding.even(ALL, tensor.shape(), 0), tensor.placement(), what);
    }

    private Map<String, Consumer<Linear>> writes() {
        Map<String, Consumer<Linear>> writes = new LinkedHashMap<>();
        writes.put("load", linear -> linear.loadStateDict(linear.stateDict()));
        writes.put("initialize", linear -> linear.weight().initialize(Init.normal(0, 1)));
        writes.put("initialize by a factorization", linear -> linear.weight().initialize(Init.orthogonal(1)));
        Map<String, Consumer<Tensor>> inPlace = new LinkedHashMap<>();
        inPlace.put("kaiming", Init::kaimingUniform_);
        inPlace.put("truncated normal", Init::truncNormal_);
        inPlace.put("orthogonal", Init::orthogonal_);
        inPlace.put("normal_", Tensor::normal_);
        inPlace.put("uniform_", Tensor::uniform_);
        inPlace.put("zero_", Tensor::zero_);
        inPlace.put("fill_", tensor -> tensor.fill_(2));
        inPlace.put("copy_ of all of it", tensor -> tensor.copy_(group.machine().ones(7, 5)));
        inPlace.put(
                "copy_ that broadcasts", tensor -> tensor.copy_(group.machine().ones(5)));
        inPlace.put("set", tensor -> tensor.set(group.machine().ones(7, 5), ":"));
        inPlace.put("mul_", tensor -> tensor.mul_(2));
        inPlace.put("a row", tensor -> tensor.select(0, 1).fill_(3));
        inPlace.forEach((name, write) -> writes.put(
                name,
                linear -> GradMode.noGrad(() -> write.accept(linear.weight().tensor()))));
        return writes;
    }

    @Test
    void whatIsWrittenToAParameterLeavesItCut() {
        writes().forEach((name, write) -> {
            Linear linear = sharded();
            linear.weight().tensor().placement();
            long before = group.stats().exchanges();
            write.accept(linear);
            assertCut(name, linear.weight().tensor());
            // Saving the values gathers weight and bias.
            long expected = name.equals("load") ? 2 : 0;
            assertEquals(expected, group.stats().exchanges() - before, () -> name + ": " + group.explain());
            SGD optimizer = new SGD(linear.parameters(), 0.1);
            linear.forward(group.machine().ones(2, 5)).sum().backward();
            optimizer.step();
            assertCut(name + ", after a step", linear.weight().tensor());
            assertCut(name + ", the gradient", linear.weight().grad());
        });
    }

    @Test
    void valuesAreTheSameAsOnOneMachine() {
        Tensor whole = group.machine().zeros(7, 5);
        Tensor cut = group.sharded(HostTensor.of(new float[35], 7, 5), 0);
        for (Tensor each : List.of(whole, cut)) {
            group.manualSeed(7);
            each.normal_(1, 2);
        }
        assertCut("drawn", cut);
        assertEquals(whole.toHost(), cut.toHost());
    }

    @Test
    void whatIsWrittenIsDifferentiated() {
        Tensor x = group.sharded(HostTensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2), 0)
                .requiresGrad(true);
        Tensor y = x.mul(2);
        Tensor source = group.machine().ones(3, 2).requiresGrad(true);
        y.copy_(source.mul(3));
        assertCut("written", y);
        y.mul(x).sum().backward();
        assertEquals(3, x.grad().sum().itemDouble() / 6);
        assertEquals(63, source.grad().sum().itemDouble());
    }

    @Test
    void anOptimizersStateIsCutFromItsBeginning() {
        Linear linear = sharded();
        Adam adam = new Adam(linear.parameters(), 0.1);
        adam.stateTensors().forEach(ShardedStateTest::assertCut);
        for (int step = 0; step < 3; step++) {
            linear.forward(group.machine().ones(2, 5)).sum().backward();
            adam.step();
            adam.zeroGrad();
        }
        adam.stateTensors().forEach(ShardedStateTest::assertCut);
        SequencedMap<String, HostTensor> saved = adam.stateDict();
        Adam another = new Adam(linear.parameters(), 0.1);
        another.loadStateDict(saved);
        another.stateTensors().forEach(ShardedStateTest::assertCut);
        assertEquals(saved, another.stateDict());
    }

    @Test
    void noMemberNeedsAWholeMomentBeforeTheFirstStep() {
        int width = 256;
        MockProvider provider = new MockProvider();
        try (var two = MachineGroup.of(provider, "A100", 2, new MachineOptions())) {
            Linear linear = new Linear(width, width);
            linear.fullyShard(two);
            Adam adam = new Adam(linear.parameters(), 0.1);
            two.synchronize();
            long expected = 3L * 4 * width * (width + 1) / 2;
            provider.machines().forEach(machine -> {
                long kept = machine.host().stats().load().liveBytes();
                assertTrue(
                        kept > 0.95 * expected && kept < 1.05 * expected, () -> kept + " bytes, expected " + expected);
            });
            assertEquals(4, adam.stateTensors().size());
        }
    }
}
