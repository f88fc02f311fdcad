package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.outpost.protocol.message.RestoreState;
import dev.outpost.protocol.message.SaveState;
import dev.outpost.protocol.message.StatePlace;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.source.MemoryStores;
import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.support.tests.Await;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session computes and frees values while its state is written. */
class BackgroundStateTest {
    private static final int ELEMENTS = 1024;
    private static final int BYTES = 4 * ELEMENTS;

    private final CpuEngine engine = new CpuEngine(1, 0);
    private final String uri = "memory:" + UUID.randomUUID();
    private final MemoryStores.Content store = MemoryStores.content(uri);
    private RuntimeHost host;
    private long fetches;
    private long requests;

    @BeforeEach
    void begin() {
        host = host(1 << 20);
    }

    private RuntimeHost host(long quota) {
        return new RuntimeHost(RuntimeContext.of(
                engine,
                Planner.plain(engine),
                RuntimeSettings.withQuota(quota).withSources(SourceSettings.parse(uri)),
                System::nanoTime));
    }

    @AfterEach
    void allMemoryComesBack() throws InterruptedException {
        store.allow(1000);
        host.close();
        host.awaitIdle(Await.GUARD);
        assertEquals(0, host.liveBytes());
        engine.close();
    }

    private StatePlace place() {
        return StatePlace.newBuilder()
                .setUri(uri)
                .setName("state")
                .setKey(ByteString.copyFrom(new byte[32]))
                .build();
    }

    private void save(WireClient client, long number) {
        client.control(ToRuntime.Request.of(SaveState.newBuilder()
                .setRequest(++requests)
                .setPlace(place())
                .setNumber(number)
                .build()));
    }

    private ToClient.Reply answer(WireClient client) throws InterruptedException {
        return client.take(ToClient.Reply.class);
    }

    private void assertSaved(WireClient client) throws InterruptedException {
        ToClient.Reply answer = answer(client);
        assertTrue(answer.reply().hasSourceAnswered(), answer::toString);
    }

    private void assertRestores(long number, long id, float value) throws InterruptedException {
        WireClient other = WireClient.connected(host);
        other.control(ToRuntime.Request.of(RestoreState.newBuilder()
                .setRequest(1)
                .setPlace(place())
                .setNumber(number)
                .build()));
        assertSaved(other);
        assertFull(other, id, value);
        other.goodbye();
    }

    private void assertFull(WireClient client, long id, float value) throws InterruptedException {
        float[] elements = new float[ELEMENTS];
        Arrays.fill(elements, value);
        assertArrayEquals(
                SegmentBuilder.bytes(elements), client.fetch(++fetches, id).bytes());
    }

    @Test
    void theStateHasTheValuesOfItsTurn() throws InterruptedException {
        WireClient client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 3, ELEMENTS).plus(2, 1, 1));
        store.hold(0);
        save(client, 1);
        client.run(new SegmentBuilder().plus(3, 2, 1));
        client.free(1, 2);
        assertFull(client, 3, 9);
        Await.until("the state is being written", store::isHolding);
        store.allow(100);
        assertSaved(client);
        assertEquals(BYTES, host.liveBytes());
        assertRestores(1, 2, 6);
        assertRestores(1, 1, 3);
    }

    @Test
    void oneStateIsWrittenAtATime() throws InterruptedException {
        WireClient client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 3, ELEMENTS));
        store.hold(0);
        save(client, 1);
        Await.until("the state is being written", store::isHolding);
        save(client, 2);
        ToClient.Reply refused = answer(client);
        assertTrue(refused.toString().contains("still writes"), refused::toString);
        store.allow(100);
        assertSaved(client);
        save(client, 3);
        assertSaved(client);
        assertRestores(3, 1, 3);
    }

    @Test
    void whereMemoryIsShortTheSessionWaitsForTheState() throws InterruptedException {
        host.close();
        long large = 300L * ELEMENTS;
        host = host(4 * (2 * large + ELEMENTS));
        WireClient client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 3, large));
        client.run(new SegmentBuilder().full(2, 5, large));
        store.hold(0);
        save(client, 1);
        // Both values are replaced. The state holds the second one until the chunks of the first one are written.
        client.free(1);
        client.run(new SegmentBuilder().full(3, 7, large));
        client.free(2);
        client.run(new SegmentBuilder().full(4, 9, large));
        client.run(new SegmentBuilder().full(5, 11, ELEMENTS));
        Await.until("the state is being written", store::isHolding);
        store.allow(100);
        assertSaved(client);
        assertFull(client, 5, 11);
        assertEquals(0, client.failures().size());
    }

    @Test
    void aFailedStateReleasesTheValues() throws InterruptedException {
        WireClient client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 3, ELEMENTS));
        store.failAfter(0);
        save(client, 1);
        client.free(1);
        ToClient.Reply refused = answer(client);
        assertTrue(refused.toString().contains("the store is gone"), refused::toString);
        Await.until("the values are released", () -> host.liveBytes() == 0);
        client.run(new SegmentBuilder().full(2, 4, ELEMENTS));
        assertFull(client, 2, 4);
    }

    @Test
    void aSessionThatEndsMeanwhileReleasesTheValues() throws InterruptedException {
        WireClient client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 3, ELEMENTS));
        store.hold(0);
        save(client, 1);
        Await.until("the state is being written", store::isHolding);
        client.goodbye();
        Await.until("the values are released", () -> host.liveBytes() == 0);
        assertTrue(store.files.keySet().stream().noneMatch(file -> file.endsWith(".manifest")), store.files::toString);
    }
}
