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
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.runtime.cuda.emulation.EmulatedCollectives;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Groups whose GPUs exchange without their hosts, by emulated GPUs and an emulated library. */
class GroupOnDevicesTest {
    private static final long QUOTA = 1L << 26;
    private static final int SIDE = 64;

    private final EmulatedCollectives.Wire wire = new EmulatedCollectives.Wire();

    private static MachineGroup group(Supplier<Engine> engine) {
        MockProvider provider =
                new MockProvider(MockSettings.STANDARD.withEngine(engine).withQuota(QUOTA));
        return MachineGroup.of(provider, "A100", 2, new MachineOptions());
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

    /** A sum of all, one of which each member has a part, parts that are gathered, parts that are cut otherwise, and a value that is sent. */
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

    /** Two terms have one sum, in whichever order. */
    @Test
    void twoDevicesGiveTheBitsOfTheirHosts() {
        List<byte[]> byDevices;
        try (MachineGroup group = group(devices("library 1"))) {
            byDevices = results(group);
            assertTrue(group.explain().startsWith("exchanges by library 1\n"), group::explain);
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

    @Test
    void oneDeviceForAllExchangesByTheHostsAndSaysWhy() {
        try (MachineGroup group = group(() -> EmulatedEngines.open(wire, "library 1", "GPU-1"))) {
            results(group);
            String expected = "exchanges by lanes between hosts: members 0 and 1 have one GPU, GPU-1\n";
            assertTrue(group.explain().startsWith(expected), group::explain);
        }
        assertEquals(List.of(), wire.calls());
    }

    /** No device waits for one that does not come. */
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
