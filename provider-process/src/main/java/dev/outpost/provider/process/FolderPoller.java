package dev.outpost.provider.process;

import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.support.FleetChanges;
import dev.outpost.provider.support.FleetPolling;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Polls the files of all machines. Polling is needed because a killed process changes no file, and only its parent is notified. It
 * polls more often while a machine starts or ends.
 */
record FolderPoller(Supplier<List<MachineObservation>> list) implements FleetPolling.Poller {
    private static final Duration BUSY = Duration.ofMillis(50);
    private static final Duration QUIET = Duration.ofMillis(500);

    @Override
    public Duration poll(FleetChanges changes) {
        changes.report(list.get());
        return changes.isBusy() ? BUSY : QUIET;
    }
}
