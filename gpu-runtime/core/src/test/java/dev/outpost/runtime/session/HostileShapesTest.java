package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Sort;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.types.FaultKind;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests shapes that are cheap to describe but too expensive to iterate over. */
class HostileShapesTest {
    private static final long HUGE = 1L << 61;

    static Stream<Engine> engines() {
        return Stream.of(new ReferenceEngine(), new CpuEngine(2, 1 << 20));
    }

    @ParameterizedTest
    @MethodSource("engines")
    void emptyTensorsTakeNoTime(Engine engine) throws InterruptedException {
        try (RuntimeHost host = host(engine)) {
            var client = WireClient.connected(host);
            client.run(new SegmentBuilder()
                    .full(1, 1, HUGE, 0)
                    .add(new Cumulative(Reduce.Fn.SUM, 1), 2, 1)
                    .add(new Cumulative(Reduce.Fn.SUM, 0), 3, 1)
                    .add(new Sort(1, false), 4, 1)
                    .add(new Sort(0, false), 6, 1)
                    .add(new Concat(1), 8, 1, 1)
                    .full(9, 1, HUGE, 0, 2)
                    .full(10, 1, HUGE, 2, 0)
                    .add(new Matmul(), 11, 9, 10)
                    .full(12, 1, 0, HUGE)
                    .add(new ArgReduce(ArgReduce.Fn.ARGMAX, 1, false), 13, 12)
                    .full(14, 1, 0, 0)
                    .add(new Matmul(), 15, 1, 14));
            for (long value = 2; value <= 15; value++) {
                assertEquals(0, client.fetch(value, value).bytes().length);
            }
            assertEquals(0, client.goodbye().getUnseenList().size());
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aViewIsNoLargerThanMemory(Engine engine) throws InterruptedException {
        try (RuntimeHost host = host(engine)) {
            var client = WireClient.connected(host);
            client.run(new SegmentBuilder()
                    .full(1, 1, 1)
                    .view(2, 1, new long[] {1L << 40}, new long[] {0}, 0)
                    .add(new Reduce(Reduce.Fn.SUM, Axes.of(0), false), 3, 2));
            Fault fault = client.fetchFailing(1, 3).getFault();
            assertEquals(FaultKind.RESOURCES, FaultMessages.kind(fault));
            assertEquals(
                    "as_strided: a view of 1099511627776 elements is over 1048576 elements: close unneeded tensors, "
                            + "use scopes, or ask for more memory (as_strided(float32[1]) -> float32[1099511627776])",
                    fault.getMessage());
            assertEquals(1, host.stats().refusals(RuntimeLimit.QUOTA));
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aFaultOfManyOperandsIsShort(Engine engine) throws InterruptedException {
        try (RuntimeHost host = host(engine)) {
            var client = WireClient.connected(host);
            long[] operands = LongStream.generate(() -> 1).limit(100_000).toArray();
            client.run(new SegmentBuilder().full(1, 1, 1000).add(new Concat(0), 2, operands));
            Fault fault = client.fetchFailing(1, 2).getFault();
            assertTrue(fault.getMessage().length() < 1000, fault::getMessage);
            assertTrue(fault.getMessage().contains(", and 99984 more) -> float32[100000000]"), fault::getMessage);
        }
    }

    private static RuntimeHost host(Engine engine) {
        return new RuntimeHost(engine, RuntimeSettings.withQuota(1 << 20));
    }
}
