package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Init;
import dev.outpost.nn.Linear;
import dev.outpost.ops.MachineOps;
import dev.outpost.protocol.message.Feature;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.sharding.Mesh;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.sharding.Signal;
import dev.outpost.sharding.Signals;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Checks that values that a group creates get the placement of data, have the same bits as on a single machine, and need no exchange. */
class CreatedValuesTest {
    private static final int SIZE = 3;
    private static final List<Integer> ALL = List.of(0, 1, 2);

    private static final Map<String, Function<MachineOps, Tensor>> MADE = made();

    private static Map<String, Function<MachineOps, Tensor>> made() {
        Map<String, Function<MachineOps, Tensor>> made = new LinkedHashMap<>();
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.BFLOAT16, DType.FLOAT16)) {
            made.put("randn " + dtype, on -> on.randn(dtype, 7, 5));
            made.put("rand " + dtype, on -> on.rand(dtype, 8, 3));
        }
        made.put("randint", on -> on.randint(-3, 1000, 7, 2));
        made.put("zeros", on -> on.zeros(7, 2));
        made.put("ones", on -> on.ones(7, 2));
        made.put("full", on -> on.full(2.5, DType.FLOAT32, 7, 2));
        made.put("arange", on -> on.arange(10));
        made.put("arange by a step", on -> on.arange(5, -40, -4));
        made.put("arange of floats", on -> on.arange(0.5, 9, 0.25, DType.FLOAT32));
        made.put("arange of inexact floats", on -> on.arange(0.1, 9, 0.3, DType.FLOAT32));
        return made;
    }

    private static void assertBitsOfOneMachine(Function<MachineOps, Tensor> make, Tensor made) {
        try (RemoteMachine one = RemoteMachine.of("mock", "A100")) {
            one.manualSeed(7);
            assertArrayEquals(make.apply(one).toHost().bytes(), made.toHost().bytes());
        }
    }

    @Test
    void afterDataParallelTheyAreCutAlongTheFirstDimension() {
        try (MachineGroup group = MachineGroup.of("mock", "A100", SIZE)) {
            group.dataParallel();
            MADE.forEach((name, make) -> {
                group.machine().manualSeed(7);
                long before = group.stats().totalBytes();
                Tensor made = make.apply(group);
                assertEquals(Sharding.even(ALL, made.shape(), 0), made.placement(), name);
                assertEquals(before, group.stats().totalBytes(), name);
                assertBitsOfOneMachine(make, made);
            });
            assertTrue(group.randn(2).placement().isReplicated(), "two rows are too few for three machines");
            assertTrue(group.machine().randn(7, 5).placement().isReplicated());
        }
    }

    @Test
    void withinASignalTheyAreCutAsItSays() {
        try (MachineGroup group = MachineGroup.of("mock", "A100", SIZE)) {
            group.signals(Signals.of(Map.of(
                    "columns", Signal.shard(1, List.of(2, 0)),
                    "whole", Signal.replicated())));
            for (String name : List.of("randn float32", "rand float64", "zeros", "randint")) {
                Function<MachineOps, Tensor> make = MADE.get(name);
                long before = group.stats().exchanges();
                group.machine().manualSeed(7);
                Tensor made;
                try (var signal = group.signal("columns")) {
                    made = make.apply(group.machine());
                }
                assertEquals(Sharding.even(List.of(2, 0), made.shape(), 1), made.placement(), name);
                assertEquals(before, group.stats().exchanges(), name);
                assertBitsOfOneMachine(make, made);
                try (var signal = group.signal("whole")) {
                    assertTrue(make.apply(group).placement().isReplicated(), name);
                }
            }
        }
    }

    /** Two dimensions are cut: random values are drawn as a whole and cut, still without an exchange. */
    @Test
    void onAMeshTheyAreCutAlongItsAxes() {
        try (MachineGroup group = MachineGroup.of("mock", "A100", 4)) {
            Map<String, Integer> axes = new LinkedHashMap<>();
            axes.put("data", 2);
            axes.put("model", 2);
            Signal grid = Signal.onMesh(
                    List.of("data", "model"),
                    Map.of("activations", List.of(Optional.of("data"), Optional.of("model"))));
            group.signals(new Signals(Map.of("grid", grid), Map.of("default", Mesh.of(axes))));
            Function<MachineOps, Tensor> make = on -> on.randn(8, 5);
            group.machine().manualSeed(7);
            Tensor made;
            try (var signal = group.signal("grid")) {
                made = make.apply(group);
            }
            assertTrue(
                    made.placement().placement() instanceof Placement.OnMesh,
                    () -> made.placement().toString());
            assertBitsOfOneMachine(make, made);
        }
    }

    private static Map<String, Function<Tensor, Tensor>> ofOps() {
        Map<String, Function<Tensor, Tensor>> made = new LinkedHashMap<>();
        made.put("tril", x -> x.tril(0));
        made.put("flip and cumsum", x -> x.flip(1).cumsum(1));
        made.put(
                "a mask of lengths",
                x -> x.machine().arange(5).lt(x.select(2, 0).select(1, 0).unsqueeze(1)));
        made.put("positions", x -> x.add(x.machine().arange(5).to(DType.FLOAT32).view(5, 1)));
        made.put("eye", x -> x.machine().eye(7, 5, DType.FLOAT32));
        made.put("product with eye", x -> x.select(1, 0).matmul(x.machine().eye(8)));
        made.put("tril_indices", x -> x.machine().trilIndices(5, 4, 0));
        made.put("randperm", x -> x.machine().randperm(11));
        made.put("a row and a column that are drawn", x -> {
            Tensor drawn = x.machine().zeros(7, 5);
            drawn.select(0, 3).uniform_();
            drawn.t().select(0, 2).normal_();
            return drawn;
        });
        made.put("sparse", x -> Init.sparse_(x.machine().zeros(7, 5), 0.4));
        made.put("orthogonal", x -> Init.orthogonal_(x.machine().zeros(7, 5)));
        made.put("multinomial", x -> x.machine().ones(7, 5).multinomial(9, true));
        made.put(
                "rand of a chain",
                x -> x.machine().randn(9, 3).mul(x.machine().rand(9, 1)).add(1));
        made.put("rand, twice", x -> {
            Tensor drawn = x.machine().rand(6, 5, 8);
            return x.add(drawn).mul(drawn.transpose(0, 2).amax(0).t().unsqueeze(2));
        });
        return made;
    }

    private static Tensor ramp(MachineOps on) {
        float[] values = new float[6 * 5 * 8];
        for (int index = 0; index < values.length; index++) {
            values[index] = index % 7;
        }
        return on.tensor(values, 6, 5, 8);
    }

    private static void assertSame(String name, Function<Tensor, Tensor> make, Tensor made) {
        try (RemoteMachine one = RemoteMachine.of("mock", "A100")) {
            one.manualSeed(7);
            assertArrayEquals(
                    make.apply(ramp(one)).toHost().bytes(), made.toHost().bytes(), name);
        }
    }

    /** Each op that uses a created value gets it in the placement that it needs. */
    @Test
    void whatOpsMakeInsideOfThemExchangesNothing() {
        try (MachineGroup group = MachineGroup.of("mock", "A100", SIZE)) {
            group.signals(Signals.of(Map.of("rows", Signal.shard(0, ALL))));
            ofOps().forEach((name, make) -> {
                group.machine().manualSeed(7);
                long before = group.stats().exchanges();
                Tensor made;
                try (var signal = group.signal("rows")) {
                    made = make.apply(ramp(group));
                }
                made.placement();
                assertEquals(before, group.stats().exchanges(), () -> name + ": " + group.explain());
                assertSame(name, make, made);
            });
        }
    }

    @Test
    void theSameHoldsAfterDataParallel() {
        try (MachineGroup group = MachineGroup.of("mock", "A100", SIZE)) {
            group.dataParallel();
            ofOps().forEach((name, make) -> {
                group.machine().manualSeed(7);
                long before = group.stats().exchanges();
                Tensor made = make.apply(ramp(group));
                made.placement();
                assertEquals(before, group.stats().exchanges(), () -> name + ": " + group.explain());
                assertSame(name, make, made);
            });
            long before = group.stats().exchanges();
            assertEquals(
                    Sharding.even(ALL, Shape.of(7, 5), 0),
                    group.eye(7, 5, DType.FLOAT32).placement());
            group.trilIndices(5, 4, 0).placement();
            group.randperm(11).placement();
            assertEquals(before, group.stats().exchanges(), group::explain);
        }
    }

    @Test
    void whatIsMadeAsATensorIsPlacedAsIt() {
        Map<String, Function<Tensor, Tensor>> made = new LinkedHashMap<>();
        made.put("zeros_like", Tensor::zerosLike);
        made.put("zeros_like of another dtype", x -> x.zerosLike(DType.INT64));
        made.put("full_like", x -> x.fullLike(3));
        made.put("rand_like", Tensor::randLike);
        made.put("randn_like", Tensor::randnLike);
        made.put("randint_like", x -> x.randintLike(0, 9));
        made.put("normal_", x -> x.clone().normal_());
        made.put("bernoulli_", x -> x.clone().bernoulli_(0.3));
        made.put("random_", x -> x.clone().random_(0, 9));
        made.put("zero_", x -> x.clone().zero_());
        made.put("dropout", x -> Functional.dropout(x, 0.5, true));
        try (MachineGroup group = MachineGroup.of("mock", "A100", SIZE)) {
            group.dataParallel();
            made.forEach((name, make) -> {
                group.machine().manualSeed(7);
                Tensor x = ramp(group);
                Tensor result = make.apply(x);
                assertEquals(x.placement(), result.placement(), name);
                assertSame(name, make, result);
            });
            assertEquals(
                    0,
                    group.exchanges().stream()
                            .filter(each -> !each.cause().equals("read"))
                            .count());
        }
    }

    @Test
    void aModuleThatIsMadeWithinASignalIsReplicated() {
        try (MachineGroup group = MachineGroup.of("mock", "A100", SIZE)) {
            group.signals(Signals.of(Map.of("rows", Signal.shard(0, ALL))));
            Linear linear = new Linear(8, 7);
            try (var signal = group.signal("rows")) {
                linear.to(group.machine());
                Tensor result = linear.forward(ramp(group));
                assertEquals(Sharding.even(ALL, result.shape(), 0), result.placement());
            }
            assertEquals(Sharding.replicated(SIZE), linear.weight().tensor().placement());
            assertEquals(0, group.stats().exchanges(), group::explain);
        }
    }

    @Test
    void aShardedModuleIsMadeInParts() {
        float[] expected;
        try (RemoteMachine one = RemoteMachine.of("mock", "A100")) {
            one.manualSeed(7);
            Linear linear = new Linear(5, 7);
            linear.to(one);
            expected = linear.weight().tensor().toFloatArray();
        }
        try (MachineGroup group = MachineGroup.of("mock", "A100", SIZE)) {
            group.machine().manualSeed(7);
            Linear linear = new Linear(5, 7);
            linear.fullyShard(group);
            Tensor weight = linear.weight().tensor();
            assertEquals(Sharding.even(ALL, weight.shape(), 0), weight.placement());
            assertTrue(weight.requiresGrad());
            assertEquals(0, group.stats().exchanges());
            assertEquals(0, group.machine().stats().waits(), "no value passes through the program");
            assertArrayEquals(expected, weight.toFloatArray());
        }
    }

    @Test
    void aMachineThatMakesNoPartsEndsTheGroupByItsVersion() {
        ProtocolVersions lacking = ProtocolVersions.CURRENT.without(Set.of(Feature.RANDOM_PARTS));
        MockProvider provider = new MockProvider(MockSettings.STANDARD.withDialect(lacking));
        try (MachineGroup group = MachineGroup.of(provider, "A100", 2, new MachineOptions())) {
            group.dataParallel();
            assertEquals(4.0, group.ones(4).sum().itemDouble());
            OutpostException refused =
                    assertThrows(OutpostException.class, () -> group.randn(4).toFloatArray());
            assertTrue(refused.getMessage().contains("cannot make parts of random tensors"), refused.getMessage());
        }
    }
}
