package dev.outpost.provider.process;

import dev.outpost.provider.process.state.MachineFolder;
import dev.outpost.provider.process.state.MachineRecord.Keeper;
import dev.outpost.provider.process.state.MachineStatus;
import dev.outpost.provider.process.state.StateFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the remains of machines that have ended. A control plane removes its own. */
final class OrphanProcessCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(OrphanProcessCleanup.class);

    private OrphanProcessCleanup() {}

    /** Returns a line for each removed machine. */
    static List<String> of(StateFolder state, Duration kept, Instant now) throws IOException {
        List<String> removed = new ArrayList<>();
        for (MachineFolder machine : state.list()) {
            if (machine.attend(now) && isLeftOver(machine, kept, now)) {
                machine.remove();
                removed.add("removed the rest of " + machine.record().name());
            }
        }
        state.tidy(now);
        return removed;
    }

    private static boolean isLeftOver(MachineFolder machine, Duration kept, Instant now) {
        MachineStatus status = machine.status(now);
        return status.hasEnded()
                && !(machine.record().keeper() instanceof Keeper.Fleet)
                && !status.since().plus(kept).isAfter(now);
    }

    /** Cleans up in the background. A failure is only logged. */
    static void inBackground(StateFolder state, Duration kept) {
        Thread.ofVirtual().name("outpost-process-cleaning").start(() -> {
            try {
                of(state, kept, Instant.now());
            } catch (IOException | UncheckedIOException | IllegalStateException failure) {
                LOG.debug("the rest of machines stays for now: {}", failure.getMessage());
            }
        });
    }
}
