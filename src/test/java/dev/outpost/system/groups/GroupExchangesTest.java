package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.LayerNorm;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests the exchanges of programs, to the byte, and the placements of their results. */
class GroupExchangesTest {
    private static final Map<String, Long> NOTHING = Map.of();

    private static HostTensor random(long... shape) {
        Random random = new Random(1);
        float[] values = new float[(int) Shape.of(shape).elements()];
        for (int index = 0; index < values.length; index++) {
            values[index] = (float) random.nextGaussian();
        }
        return HostTensor.of(values, shape);
    }

    /** Checks the exchanges on a group of two; tests the placement of the result, without reading it. */
    private static void assertExchanges(
            Function<MachineGroup, Tensor> program, Map<String, Long> bytes, String placement) {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            Tensor result = program.apply(group);
            assertEquals(placement, result.placement().toString(), group::explain);
            assertEquals(bytes, group.stats().bytes(), group::explain);
        }
    }

    private static final String ROWS = "shard(0) at [0, 2, 4] on [0, 1]";
    private static final String DUE = "partial on [0, 1]";
    private static final String WHOLE = "replicate on [0, 1]";

    @Test
    void elementwiseOfPartsMovesNothing() {
        assertExchanges(group -> group.sharded(random(4, 3), 0).mul(2).relu().exp(), NOTHING, ROWS);
    }

    @Test
    void broadcastingOfAWholeRowMovesNothing() {
        assertExchanges(
                group -> group.sharded(random(4, 3), 0).add(group.machine().tensor(random(3))), NOTHING, ROWS);
    }

    @Test
    void productByRowsMovesNothing() {
        assertExchanges(
                group -> group.sharded(random(4, 3), 0).matmul(group.machine().tensor(random(3, 5))), NOTHING, ROWS);
    }

    @Test
    void productByColumnsMovesNothing() {
        assertExchanges(
                group -> group.machine().tensor(random(5, 3)).matmul(group.sharded(random(3, 4), 1)),
                NOTHING,
                "shard(1) at [0, 2, 4] on [0, 1]");
    }

    @Test
    void productAlongTheCutDimensionIsASumThatIsDue() {
        assertExchanges(group -> group.sharded(random(5, 4), 1).matmul(group.sharded(random(4, 6), 0)), NOTHING, DUE);
    }

    @Test
    void aSumIsTakenWhereAnOpIsNotLinear() {
        assertExchanges(
                group -> group.sharded(random(5, 4), 1)
                        .matmul(group.sharded(random(4, 6), 0))
                        .mul(3)
                        .relu(),
                Map.of("all_reduce", 4L * 5 * 6),
                WHOLE);
    }

    @Test
    void softmaxByRowsMovesNothing() {
        assertExchanges(group -> group.sharded(random(4, 6), 0).softmax(1), NOTHING, ROWS);
    }

    @Test
    void layerNormByRowsMovesNothing() {
        assertExchanges(
                group -> ((LayerNorm) new LayerNorm(6).to(group.machine())).forward(group.sharded(random(4, 6), 0)),
                NOTHING,
                ROWS);
    }

    @Test
    void meanIsASumThatIsDue() {
        assertExchanges(group -> group.sharded(random(4, 6), 0).mean(), NOTHING, DUE);
    }

    @Test
    void viewsOfPartsMoveNothing() {
        assertExchanges(
                group -> group.sharded(random(4, 6), 0)
                        .reshape(4, 2, 3)
                        .transpose(0, 2)
                        .select(1, 1),
                NOTHING,
                "shard(1) at [0, 2, 4] on [0, 1]");
    }

    @Test
    void rowsAreMovedWhereTheOtherOperandIsCutByColumns() {
        assertExchanges(
                group -> group.sharded(random(4, 4), 0).add(group.sharded(random(4, 4), 1)),
                Map.of("all_to_all", 4L * 4 * 4),
                ROWS);
    }

    @Test
    void rowsThatAnIndexChoosesMoveNothing() {
        assertExchanges(
                group -> group.machine()
                        .tensor(random(9, 3))
                        .indexSelect(0, group.sharded(HostTensor.of(new long[] {8, 0, 3, 1}, 4), 0)),
                NOTHING,
                ROWS);
    }

    @Test
    void convolutionByImagesMovesNothing() {
        assertExchanges(
                group -> Functional.conv2d(
                        group.sharded(random(4, 2, 5, 5), 0), group.machine().tensor(random(3, 2, 3, 3)), null),
                NOTHING,
                ROWS);
    }

    /** An embedding of which each member has a part of the features. */
    @Test
    void embeddingByFeaturesMovesNothing() {
        assertExchanges(
                group -> group.sharded(random(9, 4), 1)
                        .indexSelect(0, group.machine().tensor(new long[] {3, 1, 8}, 3)),
                NOTHING,
                "shard(1) at [0, 2, 4] on [0, 1]");
    }

    /** The first machine has a segment that waits for the other one, which is still being provisioned. */
    @Test
    void closingDoesNotWaitForAMemberThatHasNotStarted() {
        HeldSecond provider = new HeldSecond(new MockProvider(MockSettings.STANDARD), new AtomicInteger());
        MachineGroup group = MachineGroup.of(provider, "A100", 2, new MachineOptions().closeLimit(Await.GUARD));
        group.sharded(random(4, 6), 1).matmul(group.sharded(random(6, 4), 0)).relu();
        assertEquals(Map.of(), group.stats().bytes());
        long begin = System.nanoTime();
        group.close();
        assertTrue(System.nanoTime() - begin < Await.GUARD.toNanos(), "it waited for the exchange");
    }

    /** The members may or may not be connected when the program closes the group; in both cases it ends without waiting. */
    @Test
    void closingWhileMembersConnectDoesNotWaitForAnExchange() {
        for (int round = 0; round < 20; round++) {
            MachineGroup group = MachineGroup.of("mock", "A100", 3, new MachineOptions().closeLimit(Await.GUARD));
            group.sharded(random(4, 6), 1)
                    .matmul(group.sharded(random(6, 4), 0))
                    .relu();
            long begin = System.nanoTime();
            group.close();
            assertTrue(System.nanoTime() - begin < Await.GUARD.toNanos(), "it waited for the exchange");
        }
    }

    /** A provider that never hands out the second machine. */
    private record HeldSecond(GpuProvider provider, AtomicInteger asked) implements GpuProvider {
        @Override
        public String name() {
            return provider.name();
        }

        @Override
        public void validate(MachineSpec spec) {
            provider.validate(spec);
        }

        @Override
        public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
            return asked.incrementAndGet() == 2 ? Uni.createFrom().nothing() : provider.provision(spec, progress);
        }
    }

    @Test
    void otherWorkersGetTheWholeOnce() {
        try (var group = MachineGroup.of("mock", "A100", 3)) {
            Tensor there = group.replicated(random(4, 3), List.of(0));
            Tensor here = group.replicated(random(4, 300), List.of(1, 2));
            Tensor product = there.transpose(0, 1).matmul(here);
            assertEquals(List.of(1, 2), product.placement().workers());
            assertEquals(Map.of("send", 2 * 4L * 4 * 3), group.stats().bytes(), group::explain);
            assertEquals(DType.FLOAT32, product.dtype());
        }
    }
}
