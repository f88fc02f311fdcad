package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.stats.SessionState;
import dev.outpost.runtime.session.stats.SessionStats;
import dev.outpost.support.tests.Await;
import dev.outpost.support.tests.RunningClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** One runtime with many hostile clients, one after the other and side by side, and a correct client that must not be affected. */
final class FuzzRound {
    private static final int CLIENTS = 150;
    private static final int SIDE_BY_SIDE = 6;
    private static final int ORDERLY = 24;
    private static final int DISORDERLY = 12;
    private static final long QUOTA = 1 << 17;

    private final SplittableRandom random;
    /** A clock of its own, because the time of segments is limited and a round may be paused. */
    private final RunningClock clock = new RunningClock();

    private final RuntimeHost host;
    private final WireClient witness;
    private final List<HostileClient> clients = new ArrayList<>();
    private long witnessed = 1;
    private int inputs;

    FuzzRound(Engine engine, SplittableRandom random) throws InterruptedException {
        this.random = random;
        Limits limits = Limits.DEFAULT.withSessions(1 + CLIENTS).withSegmentTime(Duration.ofMillis(200));
        host = new RuntimeHost(engine, RuntimeSettings.withQuota(QUOTA).withLimits(limits), clock);
        witness = WireClient.connected(host);
        witness.run(new SegmentBuilder().full(1, 1, 3));
    }

    /** Runs the round and returns the number of inputs. */
    int run() throws InterruptedException {
        try (clock;
                host) {
            for (int batch = 0; batch < CLIENTS; batch += SIDE_BY_SIDE) {
                sideBySide();
            }
            assertTrue(host.liveBytes() <= (1 + CLIENTS) * QUOTA, () -> "over all quotas: " + host.stats());
            drain();
            assertNothingIsLeft();
        }
        return inputs;
    }

    /** First the clients behave correctly, so that there is something to break; then they misbehave. */
    private void sideBySide() throws InterruptedException {
        List<HostileClient> batch = new ArrayList<>();
        for (int client = 0; client < SIDE_BY_SIDE; client++) {
            batch.add(new HostileClient(host, random.split()));
        }
        clients.addAll(batch);
        send(batch, ORDERLY, HostileClient::sendOrderly);
        witnessComputes();
        batch.forEach(HostileClient::acknowledge);
        send(batch, DISORDERLY, HostileClient::sendDisorderly);
        witnessComputes();
    }

    private void send(List<HostileClient> batch, int times, Consumer<HostileClient> input) {
        for (int time = 0; time < times; time++) {
            for (HostileClient client : batch) {
                if (!client.isOver()) {
                    input.accept(client);
                    inputs++;
                }
            }
        }
    }

    private void witnessComputes() throws InterruptedException {
        witness.run(new SegmentBuilder().plusNumber(witnessed + 1, witnessed, 1).drop(witnessed));
        witnessed++;
        assertArrayEquals(
                SegmentBuilder.bytes(witnessed, witnessed, witnessed),
                witness.fetch(witnessed, witnessed).bytes());
    }

    /** Executes queued messages, so that nothing is missed, and ends all sessions. */
    private void drain() throws InterruptedException {
        var drained = CompletableFuture.supplyAsync(() -> {
            try {
                return host.drain(Await.GUARD, RuntimeTermination.DRAINED);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });
        List<SessionStats> unsettled = List.of();
        while (!drained.isDone()) {
            unsettled = host.sessions().stream()
                    .filter(session -> session.state() != SessionState.ENDED)
                    .toList();
            clients.forEach(HostileClient::acknowledge);
            witness.acknowledge();
            Thread.sleep(1);
        }
        assertTrue(drained.join(), "somebody hangs: " + unsettled);
    }

    private void awaitEmptyQueues() {
        Await.until("the queues are empty", () -> host.stats().load().queuedMessages() == 0);
    }

    private void assertNothingIsLeft() throws InterruptedException {
        assertTrue(host.awaitIdle(Await.GUARD), () -> "left behind: " + host.stats());
        clients.forEach(client -> assertEquals(List.of(), client.defects()));
        assertEquals(0, host.stats().defects(), "defects were logged");
        assertEquals(0, host.stats().connections(), "connections are left");
        awaitEmptyQueues();
    }
}
