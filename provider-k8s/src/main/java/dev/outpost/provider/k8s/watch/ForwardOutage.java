package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.k8s.reach.MachineRoute;
import dev.outpost.provider.k8s.reason.ApiReasons;
import dev.outpost.provider.k8s.task.Span;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Decides when an outage of the API server loses a machine. A machine that is reached without the API server is never
 * lost this way. A machine whose port the API server forwards gets no messages of its client during the outage, and
 * treats the client as gone when its lease is over.
 *
 * @param machineRoutes the routes to the machine, or to all machines of a group
 * @param lease the time for which a session outlives the last sign of its client
 */
public record ForwardOutage(List<MachineRoute> machineRoutes, Duration lease) {
    public ForwardOutage {
        machineRoutes = List.copyOf(machineRoutes);
    }

    /** Returns the loss if the outage has lasted as long as the lease. */
    Optional<MachineLoss> loss(Throwable outage) {
        return left().isPositive()
                ? Optional.empty()
                : Optional.of(MachineLoss.failed(
                        "the API server, which forwards its port, was away for longer than its lease of "
                                + Span.text(lease) + " ("
                                + ApiReasons.of(outage).what() + "). Choose a way to machines that does"
                                + " not need the API server (outpost.k8s.endpoint=service, or pod-ip), or a longer"
                                + " outpost.k8s.lease."));
    }

    /** Returns the time until the lease is over if the outage continues. */
    Duration left() {
        Duration longest = machineRoutes.stream()
                .map(MachineRoute::cutOff)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        return lease.minus(longest);
    }
}
