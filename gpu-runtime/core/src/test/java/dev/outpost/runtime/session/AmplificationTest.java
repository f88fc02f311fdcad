package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Tests small messages that cause much work, beside a correct client: their time and memory have a budget. */
class AmplificationTest extends RuntimeTest {
    /** The budget of CPU time, so that other work on the host does not count. */
    private static final Duration BUDGET = Duration.ofSeconds(2);

    /** The budget if the attack also writes a gigabyte on that thread. */
    private static final Duration BUDGET_OF_A_GIGABYTE = Duration.ofSeconds(8);

    @Override
    RuntimeSettings settings() {
        return RuntimeSettings.withQuota(QUOTA).withMaxSessions(64);
    }

    @Test
    void freesOnTheBulkLaneTakeNoTimeOfTheEventLoop() throws Exception {
        var hostile = WireClient.connected(host);
        byte[] frame = hostile.next(Lane.BULK, frees(1800));
        assertTrue(frame.length < 19_000, () -> frame.length + " bytes");
        besideANeighbour(() -> hostile.arrive(frame));
        assertEquals(
                "malformed input: Free does not belong on this lane",
                hostile.end().getMessage());
    }

    @Test
    void nothingIsDecodedBeforeAHello() throws Exception {
        var stranger = new WireClient(host);
        RuntimeConnection connection = host.accept(stranger);
        byte[] frame = new Frame.Data(Lane.BULK, 1, 0, frees(1800)).encode();
        var bytes = new Slice(frame);
        besideANeighbour(() -> {
            assertFalse(connection.makesRoom(bytes));
            connection.onFrame(bytes);
        });
        assertEquals(
                "malformed input: the first frame of a connection must be a hello",
                stranger.end().getMessage());
    }

    @Test
    void aPayloadHasSoManyMessagesAtMost() throws InterruptedException {
        var hostile = WireClient.connected(host);
        ByteWriter payload = new ByteWriter();
        for (int message = 0; message <= Message.MAX_MESSAGES; message++) {
            new ToRuntime.CancelScan(1).write(payload);
        }
        hostile.arrive(hostile.next(Lane.CONTROL, payload.toByteArray()));
        assertEquals(
                "malformed input: a payload has over 16384 messages",
                hostile.end().getMessage());
    }

    @Test
    void queuedFreesOfManySessionsTakeNoMemory() throws Exception {
        long before = usedMemory();
        List<WireClient> hostile = new ArrayList<>();
        besideANeighbour(() -> {
            for (int session = 0; session < 53; session++) {
                hostile.add(waiting());
                hostile.getLast().arrive(hostile.getLast().next(Lane.CONTROL, frees(98)));
            }
        });
        long queued = host.stats().load().queuedBytes();
        assertTrue(queued < 48_000, () -> queued + " bytes are queued");
        long grown = usedMemory() - before;
        assertTrue(grown < 128L << 20, () -> "the heap grew by " + grown + " bytes");
    }

    /** Each session stays within its own limit, but together they would fill the heap. */
    @Test
    void queuesOfAllSessionsAreBoundedAndOthersKeepTheirShare() throws Exception {
        List<WireClient> hostile = new ArrayList<>();
        var segment = new ToRuntime.RunSegment(new byte[5 << 20]);
        besideANeighbour(BUDGET_OF_A_GIGABYTE, () -> {
            for (int session = 0; session < 40; session++) {
                hostile.add(waiting());
                for (int message = 0; message < 4; message++) {
                    hostile.getLast().control(segment);
                }
            }
        });
        assertTrue(host.stats().refusals(RuntimeLimit.QUEUED_BYTES) > 0, () -> "none was refused: " + host.stats());
        assertTrue(
                host.stats().load().queuedBytes() <= Runtime.getRuntime().maxMemory() / 4,
                () -> host.stats().toString());
    }

    private interface Attack {
        void run() throws InterruptedException;
    }

    /** Runs both on one thread, as on an event loop; the neighbour's messages come after the attack. */
    private void besideANeighbour(Attack attack) throws Exception {
        besideANeighbour(BUDGET, attack);
    }

    private void besideANeighbour(Duration budget, Attack attack) throws Exception {
        var neighbour = WireClient.connected(host);
        try (ExecutorService loop = Executors.newSingleThreadExecutor()) {
            Future<?> attacked = loop.submit(() -> {
                attack.run();
                return null;
            });
            Future<ToClient.Fetched> answer = loop.submit(() -> {
                neighbour.run(new SegmentBuilder().full(1, 7, 1));
                return neighbour.fetch(1, 1);
            });
            assertEquals(4, Await.result("the neighbour is answered", answer).bytes().length);
            attacked.get();
            Duration spent = Duration.ofNanos(
                    loop.submit(() -> ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime())
                            .get());
            assertTrue(spent.compareTo(budget) < 0, () -> "the event loop computed for " + spent);
        }
    }

    /** A client whose worker waits for an upload, so that later messages are queued. */
    private WireClient waiting() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().upload(1, 1, DType.FLOAT32, 4));
        return client;
    }

    private static byte[] frees(int messages) {
        long[] ids = new long[Message.MAX_FREED];
        for (int index = 0; index < ids.length; index++) {
            ids[index] = 2L + index;
        }
        byte[] one = new ToRuntime.Free(ids).encode();
        ByteWriter all = new ByteWriter();
        for (int message = 0; message < messages; message++) {
            all.bytes(one);
        }
        return all.toByteArray();
    }

    private static long usedMemory() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
