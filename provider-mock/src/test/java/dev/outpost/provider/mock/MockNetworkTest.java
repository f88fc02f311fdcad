package dev.outpost.provider.mock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineSpec;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages are delivered whatever the network does. */
class MockNetworkTest {
    private static final Duration TIMEOUT = Await.GUARD;
    private static final int SEGMENTS = 60;
    private static final int UPLOADED = 200_000;

    static MockNetwork[] networks() {
        MockNetwork network = MockNetwork.PERFECT;
        return new MockNetwork[] {
            network,
            network.withLatency(Duration.ofMillis(20)),
            network.withBandwidth(8 << 20),
            network.withCutAfter(40),
            network.withCutEvery(30),
            network.withLatency(Duration.ofMillis(20)).withCutAfter(40)
        };
    }

    @ParameterizedTest
    @MethodSource("networks")
    void everythingHappensOnceAndInOrder(MockNetwork network) throws InterruptedException {
        MockProvider provider = provider(network);
        Lease lease = provision(provider);
        MockMachine machine = provider.machines().getFirst();
        try (LaneClient client = new LaneClient(lease)) {
            client.control(SegmentFixtures.full(1, 1, 1));
            for (int id = 2; id <= SEGMENTS; id++) {
                client.control(SegmentFixtures.doubleAndAdd(id, id - 1, id));
            }
            client.control(new ToRuntime.Fetch(1, SEGMENTS));
            assertEquals(
                    expected(),
                    longs(client.take(ToClient.Fetched.class).bytes()).get());
            goThereAndBack(client);
            client.control(ToRuntime.Request.goodbye());
            client.take(ToClient.Reply.class);
        }
        assertTrue(machine.host().awaitIdle(TIMEOUT));
        lease.release().await().atMost(TIMEOUT);
    }

    /** Transfers a large value to the machine and back: chunks on the bulk lane, in both directions. */
    private static void goThereAndBack(LaneClient client) throws InterruptedException {
        client.control(SegmentFixtures.upload(1000, 1, UPLOADED));
        byte[] bytes = new byte[8 * UPLOADED];
        for (int index = 0; index < UPLOADED; index++) {
            longs(bytes).put(index, index);
        }
        for (int from = 0; from < bytes.length; from += Message.CHUNK_BYTES) {
            int length = Math.min(Message.CHUNK_BYTES, bytes.length - from);
            byte[] chunk = new byte[length];
            System.arraycopy(bytes, from, chunk, 0, length);
            client.bulk(new ToRuntime.UploadChunk(1, DType.INT64, bytes.length, from, chunk));
        }
        client.control(new ToRuntime.Fetch(2, 1000));
        receive(client);
    }

    private static void receive(LaneClient client) throws InterruptedException {
        long next = 0;
        boolean announced = false;
        while (next < UPLOADED || !announced) {
            switch (client.take(Message.class)) {
                case ToClient.Fetched fetched -> announced = true;
                case ToClient.DownloadChunk chunk -> {
                    assertEquals(8 * next, chunk.offset());
                    var elements = longs(chunk.bytes().toByteArray());
                    while (elements.hasRemaining()) {
                        assertEquals(next++, elements.get());
                    }
                }
                case Message other -> throw new AssertionError("unexpected: " + other);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachEngineComputes(MockEngine engine) throws InterruptedException {
        MockProvider provider = new MockProvider(MockSettings.STANDARD.withEngine(engine));
        Lease lease = provision(provider);
        try (LaneClient client = new LaneClient(lease)) {
            client.control(SegmentFixtures.full(1, 5, 1000));
            client.control(SegmentFixtures.doubleAndAdd(2, 1, 3));
            client.control(new ToRuntime.Fetch(1, 2));
            assertEquals(13, longs(client.take(ToClient.Fetched.class).bytes()).get(999));
            assertEquals(provider.machines().getFirst().device(), client.welcome.getDevice());
        }
        lease.release().await().atMost(TIMEOUT);
    }

    @Test
    void cutsOnDemandAreSurvived() throws InterruptedException {
        MockProvider provider = provider(MockNetwork.PERFECT);
        Lease lease = provision(provider);
        MockMachine machine = provider.machines().getFirst();
        try (LaneClient client = new LaneClient(lease)) {
            client.control(SegmentFixtures.full(1, 5, 1));
            client.control(new ToRuntime.Fetch(1, 1));
            client.take(ToClient.Fetched.class);
            machine.cutNow();
            assertEquals("the connection to mock-1 broke", client.closing());
            client.control(new ToRuntime.Fetch(2, 1));
            assertEquals(5, longs(client.take(ToClient.Fetched.class).bytes()).get());
            assertEquals(2, client.connections());
            machine.disconnect();
            client.control(new ToRuntime.Fetch(3, 1));
            assertEquals("the network to mock-1 is down", client.closing());
            machine.reconnect();
            client.take(ToClient.Fetched.class);
        }
        lease.release().await().atMost(TIMEOUT);
    }

    @Test
    void restartedRuntimeKnowsNoSessions() throws InterruptedException {
        MockProvider provider = provider(MockNetwork.PERFECT);
        Lease lease = provision(provider);
        MockMachine machine = provider.machines().getFirst();
        try (LaneClient client = new LaneClient(lease)) {
            client.control(SegmentFixtures.full(1, 5, 1));
            client.control(new ToRuntime.Fetch(1, 1));
            client.take(ToClient.Fetched.class);
            machine.killRuntime();
            assertEquals("the runtime on mock-1 died", client.closing());
            assertTrue(client.closing().startsWith("the machine does not know the session: "));
            assertTrue(client.ended.getMessage().endsWith(": it was restarted, or the lease ran out"));
            assertEquals(0, machine.host().liveBytes());
        }
        lease.release().await().atMost(TIMEOUT);
    }

    @Test
    void aClientThatStaysAwayLosesItsSession() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(100), MockNetworkTest::loseTheSession);
    }

    private static void loseTheSession(Duration sessionLease) throws InterruptedException {
        MockProvider provider = new MockProvider(
                MockSettings.STANDARD.withEngine(MockEngine.REFERENCE).withLease(sessionLease));
        Lease lease = provision(provider);
        MockMachine machine = provider.machines().getFirst();
        try (LaneClient client = new LaneClient(lease)) {
            client.control(SegmentFixtures.full(1, 5, 1));
            client.control(new ToRuntime.Fetch(1, 1));
            client.take(ToClient.Fetched.class);
            machine.disconnect();
            assertTrue(machine.host().awaitIdle(TIMEOUT));
        }
        lease.release().await().atMost(TIMEOUT);
    }

    private static MockProvider provider(MockNetwork network) {
        return new MockProvider(
                MockSettings.STANDARD.withEngine(MockEngine.REFERENCE).withNetwork(network));
    }

    private static Lease provision(MockProvider provider) {
        return provider.provision(MachineSpec.of(GpuType.ANY), step -> {})
                .await()
                .atMost(TIMEOUT);
    }

    private static long expected() {
        long value = 1;
        for (int id = 2; id <= SEGMENTS; id++) {
            value = 2 * value + id;
        }
        return value;
    }

    private static LongBuffer longs(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    }
}
