package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.ops.MachineOps;
import dev.outpost.optim.Adam;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.runtime.cuda.emulation.EmulatedCollectives;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.support.tests.Await;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests groups whose GPUs exchange without their hosts, with emulated GPUs and an emulated library. */
class GroupOnDevicesTest {
    private static final long QUOTA = 1L << 26;
    private static final int SIDE = 64;
    private static final int STEPS = 50;

    private final EmulatedCollectives.Wire wire = new EmulatedCollectives.Wire();

    private static MachineGroup group(Supplier<Engine> engine) {
        return group(engine, 2);
    }

    private static MachineGroup group(Supplier<Engine> engine, int size) {
        MockProvider provider =
                new MockProvider(MockSettings.STANDARD.withEngine(engine).withQuota(QUOTA));
        return MachineGroup.of(provider, "A100", size, new MachineOptions());
    }

    /** Each machine has a GPU of its own. */
    private Supplier<Engine> devices(String library) {
        AtomicInteger count = new AtomicInteger();
        return () -> EmulatedEngines.open(wire, library, "GPU-" + count.incrementAndGet());
    }

    private static HostTensor random(long seed) {
        return random(seed, SIDE, SIDE);
    }

    private static HostTensor random(long seed, int rows, int columns) {
        Random random = new Random(seed);
        float[] values = new float[rows * columns];
        for (int index = 0; index < values.length; index++) {
            values[index] = (float) random.nextGaussian();
        }
        return HostTensor.of(values, rows, columns);
    }

    /**
     * A sum that all members get, a sum of which each gets a part, gathered parts, parts of another dimension, and a sent value.
     */
    private static List<byte[]> results(MachineGroup group) {
        Tensor due = group.sharded(random(1), 1).matmul(group.sharded(random(2), 0));
        Tensor sum = due.relu();
        Tensor part =
                group.sharded(random(3), 1).matmul(group.sharded(random(4), 0)).add(group.sharded(random(5), 0));
        Tensor gathered = group.sharded(random(6), 0).cumsum(0);
        Tensor recut = group.sharded(random(7, 53, 41), 0).add(group.sharded(random(8, 53, 41), 1));
        Tensor sent = group.replicated(random(9), List.of(0)).add(group.replicated(random(10), List.of(1)));
        return Stream.of(sum, part, gathered, recut, sent)
                .map(each -> each.toHost().bytes())
                .toList();
    }

    /** The sum of two terms does not depend on their order. */
    @Test
    void twoDevicesGiveTheBitsOfTheirHosts() {
        List<byte[]> byDevices;
        try (MachineGroup group = group(devices("library 1"))) {
            byDevices = results(group);
            assertTrue(group.explain().startsWith("exchanges by library 1, also within graphs\n"), group::explain);
        }
        List<String> calls = wire.calls();
        for (String call : List.of("all_reduce 4096", "reduce_scatter 2048", "all_gather 2048")) {
            assertTrue(calls.contains(call + " on 0"), calls::toString);
            assertTrue(calls.contains(call + " on 1"), calls::toString);
        }
        for (String call : List.of("send 567 on 0 to 0", "send 546 on 0 to 1", "receive 540 on 0 from 1")) {
            assertTrue(calls.contains(call), calls::toString);
        }
        assertTrue(
                calls.contains("send 4096 on 0 to 1") && calls.contains("receive 4096 on 1 from 0")
                        || calls.contains("send 4096 on 1 to 0") && calls.contains("receive 4096 on 0 from 1"),
                calls::toString);
        assertEquals(
                List.of("join id 1 0 of 2", "join id 1 1 of 2"),
                calls.stream().filter(call -> call.startsWith("join")).sorted().toList());
        try (MachineGroup group = group(EmulatedEngines::open)) {
            List<byte[]> byHosts = results(group);
            for (int result = 0; result < byHosts.size(); result++) {
                assertArrayEquals(byHosts.get(result), byDevices.get(result));
            }
            assertFalse(group.explain().contains("exchanges by"), group::explain);
        }
    }

    /**
     * Returns the losses of some data-parallel training steps, and the parameters after them.
     *
     * @param afterStep runs after each step
     */
    private static List<byte[]> trained(MachineGroup group, int steps, Runnable afterStep) {
        return trained(group, steps, afterStep, model -> model.to(group.machine()));
    }

    private static List<byte[]> trained(
            MachineGroup group, int steps, Runnable afterStep, UnaryOperator<Module> placed) {
        MachineOps machine = group.dataParallel();
        machine.self().manualSeed(5);
        Module model = placed.apply(new Sequential(new Linear(SIDE, SIDE), new ReLU(), new Linear(SIDE, SIDE)));
        Adam optimizer = new Adam(model.parameters(), 0.01);
        List<byte[]> results = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            try (var scope = machine.self().scope()) {
                Tensor batch = machine.tensor(random(100 + step));
                Tensor loss = Functional.mseLoss(model.forward(batch), batch);
                optimizer.zeroGrad();
                loss.backward();
                optimizer.step();
                results.add(loss.toHost().bytes());
                afterStep.run();
            }
        }
        model.parameters().forEach(each -> results.add(each.tensor().toHost().bytes()));
        return results;
    }

    /**
     * Once memory has the same addresses as in an earlier step, all gradients are summed within graphs, so the library is called only for
     * the loss, which is separate.
     */
    @Test
    void gradientsAreSummedWithinGraphs() {
        List<Integer> calls = new ArrayList<>();
        List<byte[]> byDevices;
        try (MachineGroup group = group(devices("library 1"))) {
            byDevices = trained(group, STEPS, () -> calls.add(wire.calls().size()));
        }
        assertEquals(2 * 5, calls.get(1) - calls.get(0), "four gradients and the loss, on each member");
        assertMostlyWithinGraphs(calls);
        try (MachineGroup group = group(EmulatedEngines::open)) {
            List<byte[]> byHosts = trained(group, STEPS, () -> {});
            for (int result = 0; result < byHosts.size(); result++) {
                assertArrayEquals(byHosts.get(result), byDevices.get(result), "result " + result);
            }
        }
    }

    /** In most steps each member calls the library only for the loss. */
    private static void assertMostlyWithinGraphs(List<Integer> calls) {
        long quiet = IntStream.range(1, calls.size())
                .filter(step -> calls.get(step) - calls.get(step - 1) == 2)
                .count();
        assertTrue(quiet > STEPS / 2, calls::toString);
    }

    /** Members have parts of 22, 21 and 21 rows. The bits do not depend on which of their steps are graphs. */
    @Test
    void twoRunsOfThreeDevicesHaveTheSameBits() {
        List<List<byte[]>> runs = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            List<Integer> calls = new ArrayList<>();
            try (MachineGroup group = group(devices("library " + run), 3)) {
                runs.add(trained(group, STEPS, () -> calls.add(wire.calls().size())));
            }
            long quiet = IntStream.range(1, STEPS)
                    .filter(step -> calls.get(step) - calls.get(step - 1) == 3)
                    .count();
            assertTrue(quiet > 0, calls::toString);
        }
        for (int result = 0; result < runs.getFirst().size(); result++) {
            assertArrayEquals(runs.get(0).get(result), runs.get(1).get(result), "result " + result);
        }
    }

    /** Parameters are gathered within graphs, and each member gets its part of the gradients' sums. */
    @Test
    void partsOfParametersAreExchangedWithinGraphs() {
        List<Integer> calls = new ArrayList<>();
        List<byte[]> byDevices;
        try (MachineGroup group = group(devices("library 1"))) {
            byDevices = trained(group, STEPS, () -> calls.add(wire.calls().size()), model -> model.fullyShard(group));
            assertTrue(group.stats().collectives().containsKey("reduce_scatter"), group::explain);
        }
        assertTrue(calls.get(1) - calls.get(0) > 2 * 5, calls::toString);
        assertMostlyWithinGraphs(calls);
        try (MachineGroup group = group(EmulatedEngines::open)) {
            List<byte[]> byHosts = trained(group, STEPS, () -> {}, model -> model.fullyShard(group));
            for (int result = 0; result < byHosts.size(); result++) {
                assertArrayEquals(byHosts.get(result), byDevices.get(result), "result " + result);
            }
        }
    }

    /** In one step of many, one member does not reach the graph that the other one offers to launch. */
    @Test
    void anErrorOnOneMemberIsToldThoughOthersHaveAGraph() {
        try (MachineGroup group = group(devices("library 1"))) {
            Tensor values = group.replicated(random(1), List.of(0, 1));
            Tensor weights = group.replicated(random(2), List.of(0, 1));
            for (int step = 0; step < 16; step++) {
                long[] rows = new long[SIDE];
                rows[0] = step == 12 ? SIDE : step;
                try (var scope = group.machine().scope()) {
                    Tensor picked = values.indexSelect(0, group.sharded(HostTensor.of(rows, SIDE), 0));
                    Tensor sum = picked.matmul(weights).exp().sum(0).neg().exp();
                    if (step == 12) {
                        OutpostException failed = assertThrows(OutpostException.class, sum::toHost);
                        assertTrue(failed.getMessage().contains("index 64 is out of bounds"), failed.getMessage());
                    } else {
                        sum.toHost();
                    }
                }
            }
            int before = wire.calls().size();
            results(group);
            assertTrue(wire.calls().size() > before, "the GPUs exchange still");
        }
    }

    /** A training whose GPUs have their steps in graphs, and one of which stops. */
    private OutpostException stopped(MachineOptions options, Consumer<MockProvider> atTheStop) throws Exception {
        List<EmulatedGpu> gpus = List.of(new EmulatedGpu(1L << 30), new EmulatedGpu(1L << 30));
        AtomicInteger count = new AtomicInteger();
        MockProvider provider = new MockProvider(MockSettings.STANDARD
                .withEngine(() -> {
                    int index = count.getAndIncrement();
                    return EmulatedEngines.open(gpus.get(index), wire, "GPU-" + index);
                })
                .withQuota(QUOTA));
        try (MachineGroup group = MachineGroup.of(provider, "A100", 2, options)) {
            AtomicInteger step = new AtomicInteger();
            CompletableFuture<OutpostException> failed = CompletableFuture.supplyAsync(() -> assertThrows(
                    OutpostException.class,
                    () -> trained(group, 10 * STEPS, () -> {
                        if (step.incrementAndGet() == STEPS) {
                            gpus.get(1).hold();
                        }
                    })));
            Await.until("the GPU stops", () -> {
                assertFalse(failed.isDone(), () -> "the training failed before the GPU stopped: " + failed.join());
                return gpus.get(1).waiting() > 0;
            });
            try {
                // A machine within this process ends when its GPU does.
                Thread.ofVirtual().start(() -> atTheStop.accept(provider));
                OutpostException told = Await.result("the training fails", failed);
                assertEquals(STEPS, step.get(), "no result of a step that was never done");
                return told;
            } finally {
                gpus.forEach(EmulatedGpu::resume);
            }
        }
    }

    @Test
    void theLossOfAMemberWhoseStepsAreGraphsEndsTheGroup() throws Exception {
        OutpostException lost = stopped(
                new MachineOptions(), provider -> provider.machines().get(1).lose("the node was preempted"));
        // Machines start in any order, so the lost machine may have either rank.
        boolean isNamed = lost.getMessage().contains("the node was preempted")
                || lost.getMessage().matches("(?s).*member [01] is gone.*");
        assertTrue(isNamed, lost.getMessage());
    }

    /** The other member's device would wait forever. */
    @Test
    void aGraphThatDoesNotEndIsGivenUpAfterTheTimeout() throws Exception {
        Await.withEnoughTime(Duration.ofSeconds(2), timeout -> {
            OutpostException late = stopped(new MachineOptions().peerTimeout(timeout), provider -> {});
            assertTrue(
                    late.getMessage().contains("the devices of members [0, 1] have begun to exchange, and did not end"),
                    late.getMessage());
        });
    }

    @Test
    void oneDeviceForAllExchangesByTheHostsAndSaysWhy() {
        try (MachineGroup group = group(() -> EmulatedEngines.open(wire, "library 1", "GPU-1"))) {
            results(group);
            String expected = "exchanges by lanes between hosts: members 0 and 1 have one GPU, GPU-1\n";
            assertTrue(group.explain().startsWith(expected), group::explain);
        }
        assertEquals(List.of(), wire.calls());
    }

    /** No device waits for one that does not launch. */
    @Test
    void anErrorOnOneMemberIsToldByItsOp() {
        try (MachineGroup group = group(devices("library 1"))) {
            Tensor values = group.replicated(random(1), List.of(0, 1));
            long[] rows = new long[SIDE];
            rows[SIDE - 1] = SIDE;
            Tensor picked = values.indexSelect(0, group.sharded(HostTensor.of(rows, SIDE), 0));
            OutpostException failed =
                    assertThrows(OutpostException.class, () -> picked.cumsum(0).toHost());
            assertTrue(failed.getMessage().contains("index 64 is out of bounds"), failed.getMessage());
            assertEquals(
                    (double) SIDE * SIDE,
                    group.sharded(random(2), 0).mul(0).add(1).sum().itemDouble());
        }
    }
}
