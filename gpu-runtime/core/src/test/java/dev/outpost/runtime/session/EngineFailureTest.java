package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.runtime.engine.GeneratedKernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.types.FaultKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A fault of an engine loses the affected values, but neither the session nor the runtime. */
class EngineFailureTest {
    private final RuntimeHost host = new RuntimeHost(new FailingEngine(), RuntimeSettings.withQuota(1 << 20));

    @AfterEach
    void close() {
        host.close();
        assertEquals(0, host.liveBytes());
    }

    @Test
    void aKernelThatBreaksIsAnInternalFault() throws InterruptedException {
        Fault fault = faultOf(Unary.SIGN);
        assertEquals(FaultKind.INTERNAL, FaultMessages.kind(fault));
        assertEquals(
                "sign: java.lang.ArrayIndexOutOfBoundsException: 7 (sign(float32[2]) -> float32[2])",
                fault.getMessage());
    }

    @Test
    void aKernelThatDoesNotCompileIsAnInternalFaultAndIsTriedAgain() throws InterruptedException {
        Fault fault = faultOf(Unary.ABS);
        assertEquals(FaultKind.INTERNAL, FaultMessages.kind(fault));
        assertEquals(
                "abs: java.lang.IllegalStateException: could not be compiled: "
                        + "java.lang.IllegalStateException: no code for it (abs(float32[2]) -> float32[2])",
                fault.getMessage());
        faultOf(Unary.ABS);
        assertEquals(2, host.stats().work().plansMade());
    }

    @Test
    void aHeapThatIsFullIsAFaultOfKindResources() throws InterruptedException {
        Fault fault = faultOf(Unary.RELU);
        assertEquals(FaultKind.RESOURCES, FaultMessages.kind(fault));
        assertEquals(
                "relu: out of memory on the machine, Java heap space (relu(float32[2]) -> float32[2])",
                fault.getMessage());
    }

    /** The lane stays synchronized: the announced number of bytes is sent, and the client does not use them. */
    @Test
    void aValueThatCannotBeReadIsAnInternalFault() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 100_000).full(2, 5, 1));
        client.control(new ToRuntime.Fetch(1, 1));
        List<Message> answers = new ArrayList<>();
        int received = 0;
        while (received < 400_000 || answers.size() < 2) {
            Message message = client.take();
            if (message instanceof ToClient.DownloadChunk chunk) {
                received += chunk.bytes().length();
            } else {
                answers.add(message);
            }
        }
        assertEquals(400_000, received);
        assertInstanceOf(ToClient.Fetched.class, answers.getFirst());
        assertEquals(
                "fetch: the value could not be read: java.lang.IllegalStateException: the device is gone",
                assertInstanceOf(ToClient.Reply.class, answers.getLast())
                        .reply()
                        .getFetchFailed()
                        .getFault()
                        .getMessage());
        assertArrayEquals(SegmentBuilder.bytes(5), client.fetch(2, 2).bytes());
        client.goodbye();
    }

    /**
     * An engine on which fused instructions fail after the first element. They are computed again from operands that were not overwritten.
     */
    private static final class BreakingHalfWay extends EngineOnTop {
        @Override
        public boolean fuses() {
            return true;
        }

        @Override
        public GeneratedKernel compile(FusedMap map) {
            return new GeneratedKernel() {
                @Override
                public void run(Op op, Array[] operands, Array[] results) {
                    write(results[0].buffer(), 0, new Slice(new byte[] {1, 2, 3, 4}));
                    throw new IllegalStateException("half way");
                }

                @Override
                public String listing() {
                    return "";
                }
            };
        }
    }

    @Test
    void valuesOverwrittenByAFailedKernelAreLost() throws InterruptedException {
        try (var breaking = new RuntimeHost(new BreakingHalfWay(), RuntimeSettings.withQuota(1 << 20))) {
            var client = WireClient.connected(breaking);
            client.run(new SegmentBuilder().floats(1, 1, 2).floats(2, 10, 20));
            client.run(new SegmentBuilder().neg(3, 1).plus(4, 3, 2));
            assertArrayEquals(SegmentBuilder.bytes(9, 18), client.fetch(1, 4).bytes());
            client.run(new SegmentBuilder().neg(5, 1).plus(6, 5, 2).neg(7, 2).drop(1));
            var failed = client.fetchFailing(2, 6);
            assertEquals(FaultKind.INTERNAL, FaultMessages.kind(failed.getFault()));
            assertEquals(List.of(5L, 6L), failed.getLostList());
            assertArrayEquals(SegmentBuilder.bytes(-10, -20), client.fetch(3, 7).bytes());
            client.goodbye();
        }
    }

    /** An engine that cannot release memory for once, as if a class of it were gone from the disk. */
    private static final class WithoutRelease extends EngineOnTop {
        private final AtomicBoolean isBroken = new AtomicBoolean(true);

        @Override
        public void release(EngineBuffer buffer) {
            if (isBroken.getAndSet(false)) {
                throw new NoClassDefFoundError("dev/outpost/runtime/memory/Array");
            }
            super.release(buffer);
        }
    }

    /** The client would wait forever for the answer to its goodbye. */
    @Test
    void memoryThatCannotBeFreedEndsTheSession() throws InterruptedException {
        try (var breaking = new RuntimeHost(new WithoutRelease(), RuntimeSettings.withQuota(1 << 20))) {
            var client = WireClient.connected(breaking);
            client.run(new SegmentBuilder().floats(1, 1, 2));
            assertEquals(8, client.fetch(1, 1).bytes().length);
            client.control(ToRuntime.Request.goodbye());
            Fault fault = client.end();
            assertEquals(FaultKind.INTERNAL, FaultMessages.kind(fault));
            assertTrue(fault.getMessage().contains("NoClassDefFoundError"), fault.getMessage());
        }
    }

    private Fault faultOf(Op op) throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 2).add(op, 2, 1).neg(3, 1));
        Fault fault = client.fetchFailing(1, 2).getFault();
        assertArrayEquals(SegmentBuilder.bytes(-1, -1), client.fetch(2, 3).bytes());
        client.goodbye();
        return fault;
    }
}
