package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.SaveState;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.tape.ProgramCall;
import dev.outpost.protocol.tape.ProgramSignature;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.run.RematerializationTable;
import dev.outpost.support.tests.Await;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests when values that were not stored are computed, and which values are held until then. Each takes 16 bytes. */
class RematerializationTableTest {
    private static final int BYTES = 16;
    private static final ProgramSignature IDENTITY = new ProgramSignature(
            List.of(), 0, new int[0], ProgramSignature.NONE, List.of(), ProgramSignature.NONE, new int[0], new int[] {0
            });

    private final CpuEngine engine = new CpuEngine(1, 0);
    private RuntimeHost host = host(1 << 20);
    private long fetches;

    private RuntimeHost host(long quota) {
        return new RuntimeHost(RuntimeContext.of(
                engine, Planner.deferring(engine), RuntimeSettings.withQuota(quota), System::nanoTime));
    }

    @AfterEach
    void allMemoryComesBack() throws InterruptedException {
        host.close();
        host.awaitIdle(Await.GUARD);
        assertEquals(0, host.liveBytes());
        engine.close();
    }

    /** A chain from input 1 over 2 and 3 to 4; {@code first} is the first id. */
    private static SegmentBuilder chain(long first) {
        return new SegmentBuilder()
                .floats(first, 1, 2, 3, 4)
                .plus(first + 1, first, first)
                .plus(first + 2, first + 1, first)
                .plus(first + 3, first + 2, first + 1);
    }

    /** 1 and 2 are inputs, 3 is a step to 4. */
    private static SegmentBuilder sum() {
        return new SegmentBuilder()
                .floats(1, 1, 2, 3, 4)
                .floats(2, 5, 5, 5, 5)
                .plus(3, 1, 2)
                .plus(4, 3, 1);
    }

    private WireClient client(SegmentBuilder... segments) throws InterruptedException {
        WireClient client = WireClient.connected(host);
        List.of(segments).forEach(client::run);
        return client;
    }

    /** The number of values in memory after everything that was sent is done; reads the known value to wait for that. */
    private long held(WireClient client, long known) throws InterruptedException {
        client.fetch(++fetches, known);
        return host.liveBytes() / BYTES;
    }

    private void assertValue(WireClient client, long id, float... elements) throws InterruptedException {
        assertArrayEquals(
                SegmentBuilder.bytes(elements), client.fetch(++fetches, id).bytes());
    }

    @Test
    void stepsAreNotStored() throws InterruptedException {
        assertEquals(2, held(client(chain(1)), 4));
    }

    @Test
    void firstFetchTakesOneRematerializationAndTheNextAllOthers() throws InterruptedException {
        var client = client(new SegmentBuilder()
                .floats(1, 1, 2, 3, 4)
                .plus(2, 1, 1)
                .plus(3, 2, 1)
                .plus(4, 3, 1)
                .plus(5, 4, 1));
        assertEquals(2, held(client, 5));
        assertValue(client, 3, 3, 6, 9, 12);
        assertEquals(3, held(client, 5));
        assertValue(client, 2, 2, 4, 6, 8);
        assertEquals(5, held(client, 5));
        assertValue(client, 4, 4, 8, 12, 16);
    }

    @Test
    void anotherSegmentMayUseThem() throws InterruptedException {
        var client = client(chain(1), new SegmentBuilder().plus(9, 2, 3));
        assertValue(client, 9, 5, 10, 15, 20);
        assertEquals(5, held(client, 9));
    }

    @Test
    void aProgramMayUseThem() throws InterruptedException {
        var client = client(chain(1));
        client.control(new SegmentBuilder().neg(2, 1).define(0, IDENTITY));
        ProgramCall call =
                new ProgramCall(1, new long[] {3}, new boolean[] {true}, new long[] {9}, 0, 0, new long[0][], 0, 0);
        client.control(new ToRuntime.RunProgram(0, 0, call.since(ProgramCall.none(1, IDENTITY), IDENTITY)));
        assertValue(client, 9, -3, -6, -9, -12);
        assertValue(client, 2, 2, 4, 6, 8);
    }

    /** Their source is held for them, which takes less memory than the values. */
    @Test
    void theirSourceMayGo() throws InterruptedException {
        var client = client(chain(1));
        client.free(1);
        assertEquals(2, held(client, 4));
        client.free(2);
        assertEquals(2, held(client, 4));
        assertValue(client, 3, 3, 6, 9, 12);
        client.free(3);
        assertEquals(1, held(client, 4));
    }

    @Test
    void theyAreComputedBeforeTheirSourcesTakeMore() throws InterruptedException {
        var client = client(sum());
        client.free(1);
        assertEquals(3, held(client, 4));
        client.free(2);
        assertEquals(2, held(client, 4));
        assertValue(client, 3, 6, 7, 8, 9);
    }

    /** This also holds if a segment is the last to use the sources and could overwrite them. */
    @Test
    void theyAreComputedBeforeTheirSourcesAreUsedUp() throws InterruptedException {
        var client = client(sum(), new SegmentBuilder().plus(9, 1, 2).drop(1).drop(2));
        assertEquals(3, held(client, 9));
        assertValue(client, 3, 6, 7, 8, 9);
        assertValue(client, 4, 7, 9, 11, 13);
        assertValue(client, 9, 6, 7, 8, 9);
    }

    @Test
    void valueReadEachTimeIsStored() throws InterruptedException {
        var client = client();
        for (long first = 1; first <= 21; first += 10) {
            client.run(chain(first));
            boolean isStored = first > 20;
            assertEquals(isStored ? 4 : 2, held(client, first + 3));
            assertValue(client, first + 1, 2, 4, 6, 8);
            client.free(first, first + 1, first + 2, first + 3);
        }
    }

    @Test
    void whereMemoryIsShortAllIsStored() throws InterruptedException {
        host.close();
        host = host(7 * BYTES);
        assertEquals(4, held(client(chain(1)), 4));
    }

    @Test
    void aStateThatNeedsMoreMemoryIsRefusedAndTheyStayDeferred() throws InterruptedException {
        host.close();
        host = host(16 * BYTES);
        WireClient client = client(chain(1));
        for (int id = 10; id < 24; id++) {
            client.run(new SegmentBuilder().floats(id, 1, 2, 3, 4));
        }
        assertEquals(16, held(client, 4));
        client.control(ToRuntime.Request.of(SaveState.newBuilder().setRequest(1).build()));
        ToClient.Reply refused = assertInstanceOf(ToClient.Reply.class, client.take());
        assertTrue(refused.toString().contains("not enough memory to compute the deferred values"), refused::toString);
        assertEquals(16, held(client, 4));
        client.free(10, 11, 12, 13);
        assertValue(client, 2, 2, 4, 6, 8);
        assertValue(client, 3, 3, 6, 9, 12);
    }

    @Test
    void thereIsAMost() throws InterruptedException {
        var client = client();
        for (int run = 0; run <= RematerializationTable.MAX; run++) {
            client.run(chain(10L * run + 1));
            if (run % 256 == 0) {
                // Keeps the number of queued messages within the session's limit.
                held(client, 4);
            }
        }
        assertEquals(2 * RematerializationTable.MAX + 4, held(client, 4));
    }
}
