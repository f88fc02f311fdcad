package dev.outpost.provider.process;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.support.FleetPolling;
import dev.outpost.support.tests.Await;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class FolderPollerTest {
    private static MachineObservation machine(String id) {
        return new MachineObservation(
                new MachineRef(id, 1),
                "A100",
                MachinePhase.STARTING,
                "it starts",
                Optional.empty(),
                Optional.empty(),
                Instant.EPOCH,
                Instant.EPOCH,
                Map.of());
    }

    /** The database may refuse the text of a machine, and it may be away. */
    @Test
    void listenerThatFailsEndsNoWatch() throws Exception {
        AtomicReference<List<MachineObservation>> list = new AtomicReference<>(List.of(machine("bad")));
        CountDownLatch failed = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        FleetPolling watches = new FleetPolling(wakeSignal -> new FolderPoller(list::get));
        FleetWatch watch = watches.open(news -> {
            if (news.machine().id().equals("bad")) {
                failed.countDown();
                throw new UnsupportedOperationException("this one cannot be taken in");
            }
            told.countDown();
        });
        try {
            Await.opened("the listener has failed", failed);
            list.set(List.of(machine("bad"), machine("good")));
            watches.wake();
            Await.opened("the other machine is told of", told);
        } finally {
            watch.close();
        }
    }
}
