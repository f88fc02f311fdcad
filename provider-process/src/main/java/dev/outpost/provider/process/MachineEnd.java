package dev.outpost.provider.process;

import dev.outpost.provider.process.state.MachineFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;

/** Ends a machine and removes its folder. */
final class MachineEnd {
    private static final Duration GLANCE = Duration.ofMillis(10);

    private MachineEnd() {}

    /**
     * Ends the machine and returns when nothing is left of it. This takes as long as the runtime drains, at most a
     * few seconds.
     */
    static void of(MachineFolder machine) {
        boolean interrupted = Thread.interrupted();
        try {
            machine.end(Instant.now());
            while (machine.attend(Instant.now())) {
                Thread.sleep(GLANCE);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("process: " + machine.record().name() + " cannot be ended", failure);
        } catch (InterruptedException failure) {
            interrupted = true;
            machine.kill();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Starts to end the machine and returns at once. The work continues while this JVM lives. If the JVM ends first,
     * the next process that checks the machines does the rest.
     */
    static void begin(MachineFolder machine) throws IOException {
        machine.end(Instant.now());
        if (machine.attend(Instant.now())) {
            Thread.ofVirtual().name("outpost-end-" + machine.record().name()).start(() -> of(machine));
        }
    }
}
