package dev.outpost.system.k8s.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.system.HeldProvider;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** No thread of this project or of a library keeps a program alive that has returned its machine and ended. */
class FinishedClientTest {
    private static final Duration LEASE = Duration.ofMinutes(3);

    /** A program that uses a machine and returns. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            HeldProvider provider = ClientJvm.provider(arguments);
            provider.release();
            try (RemoteMachine machine =
                    RemoteMachine.of(provider, "A100", new MachineOptions().progress(news -> {}))) {
                assertEquals(3, machine.ones(3).sum().itemDouble());
            }
        }
    }

    @Test
    void aProgramEndsWhenItReturns() throws InterruptedException {
        try (SteppedCluster steppedCluster = new SteppedCluster(LEASE)) {
            steppedCluster.runner.release();
            try (ClientJvm client = ClientJvm.start(Program.class, steppedCluster, LEASE)) {
                client.awaitEnd();
            }
            steppedCluster.letTimePass();
            steppedCluster.assertNothingLeft(1);
        }
    }
}
