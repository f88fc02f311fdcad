package dev.outpost.provider.process;

import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.support.FleetChanges;
import dev.outpost.provider.support.FleetPolling;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the files of all machines. Polling is needed because a killed process changes no file, and only its parent is notified. It
 * polls more often while a machine starts or ends.
 */
record FolderPoller(Supplier<List<MachineObservation>> list) implements FleetPolling.Poller {
    private static final Logger LOG = LoggerFactory.getLogger(FolderPoller.class);
    private static final Duration BUSY = Duration.ofMillis(50);
    private static final Duration QUIET = Duration.ofMillis(500);

    @Override
    public Duration poll(FleetChanges changes) {
        try {
            changes.report(list.get());
        } catch (RuntimeException failure) {
            // Also survive a failure of a listener, because this thread reports the machines of all organisations.
            LOG.warn("the machines cannot be seen, or not be told of, for now: {}", failure.getMessage());
        }
        return changes.isBusy() ? BUSY : QUIET;
    }
}
