package dev.outpost.cli.worker;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.fleet.MachineBounds;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.rest.worker.WorkerOrders;
import dev.outpost.rest.worker.WorkerOrders.WorkerOrder;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The orders for this host, with their version. A machine that is not listed continues, because each end is an order.
 *
 * @param takesLabels true if the backend accepts labels in reports; an older backend refuses them
 */
record DesiredMachines(long version, List<Order> machines, boolean takesLabels) {
    static final DesiredMachines NONE = new DesiredMachines(-1, List.of(), false);

    /** The order to run a machine, or to end it. */
    record Order(MachineRef machine, WorkerOrder terms) {
        /**
         * @param backend the address that a runner beside it calls
         * @param authority the authority that issued the backend's certificate, in PEM, or null
         * @throws IllegalArgumentException if this program does not know the kind of GPU
         */
        DesiredMachine desired(GpuCatalogue catalogue, URI backend, @Nullable String authority) {
            return new DesiredMachine(
                    machine,
                    catalogue.find(terms.gpu()),
                    Math.max(1, terms.gpus()),
                    bounds(),
                    grants(),
                    terms.labels(),
                    Map.of(),
                    Optional.ofNullable(terms.runnerToken())
                            .map(token -> new JobRun(backend, token, Optional.ofNullable(authority))));
        }

        private MachineBounds bounds() {
            return new MachineBounds(
                    terms.memoryBytes() == null ? OptionalLong.empty() : OptionalLong.of(terms.memoryBytes()),
                    millis(terms.leaseMillis()),
                    millis(terms.idleMillis()),
                    millis(terms.lifeMillis()));
        }

        private static Optional<Duration> millis(Long millis) {
            return Optional.ofNullable(millis).map(Duration::ofMillis);
        }

        List<Grant> grants() {
            return terms.grants().stream().map(Grant::parse).toList();
        }
    }

    static DesiredMachines of(WorkerOrders orders) {
        return new DesiredMachines(
                orders.version(),
                orders.machines().stream()
                        .map(order -> new Order(new MachineRef(order.id(), order.epoch()), order))
                        .toList(),
                orders.takes().contains("labels"));
    }

    boolean has(MachineRef machine) {
        return machines.stream().anyMatch(order -> order.machine().equals(machine));
    }
}
