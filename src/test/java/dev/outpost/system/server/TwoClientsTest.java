package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Clients of one machine share nothing that either could see. */
class TwoClientsTest {
    private static final RuntimeProcess RUNTIME = RuntimeProcess.shared();

    /** Both name their values 1, 2, 3, …. */
    @Test
    void sessionsSeeTheirOwnValues() {
        try (RemoteMachine first = RUNTIME.connect();
                RemoteMachine second = RUNTIME.connect()) {
            CompletableFuture<float[]> threes = CompletableFuture.supplyAsync(() -> repeatedly(first, 3));
            CompletableFuture<float[]> fives = CompletableFuture.supplyAsync(() -> repeatedly(second, 5));
            assertArrayEquals(filled(3), threes.join());
            assertArrayEquals(filled(5), fives.join());
        }
    }

    @Test
    void aValueOfAnotherSessionIsUnknown() throws InterruptedException {
        try (RawConnection owner = RawConnection.greeted(RUNTIME);
                RawConnection thief = RawConnection.greeted(RUNTIME)) {
            owner.fill(7, 4);
            owner.control(new ToRuntime.Fetch(1, 7));
            owner.next();
            thief.control(new ToRuntime.Fetch(1, 7));
            assertEquals(
                    "malformed input: value %7 is unknown to the session",
                    thief.end().getFault().getMessage());
            owner.control(new ToRuntime.Fetch(2, 7));
            assertEquals(2, ((ToClient.Fetched) owner.next()).fetch());
        }
    }

    @Test
    void aSessionCannotBeGuessed() throws InterruptedException {
        try (RawConnection stranger = RawConnection.open(RUNTIME)) {
            stranger.hello(UUID.randomUUID(), true, RawConnection.NOTHING);
            Fault fault = stranger.end().getFault();
            assertEquals(
                    "the machine does not know the session: it was restarted, or the lease ran out",
                    fault.getMessage());
        }
    }

    /** Sums up ones, so any value of the other client would be noticed. */
    private static float[] repeatedly(RemoteMachine machine, int count) {
        Tensor sum = machine.zeros(2000);
        for (int index = 0; index < count; index++) {
            try (Tensor ones = machine.tensor(filled(1), 2000)) {
                sum.add_(ones);
            }
            sum.get(0).item();
        }
        return sum.toHost().toFloatArray();
    }

    private static float[] filled(float value) {
        float[] values = new float[2000];
        Arrays.fill(values, value);
        return values;
    }
}
