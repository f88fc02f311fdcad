package dev.outpost.cli.worker;

import dev.outpost.channel.DebugLog;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.rest.client.BackendAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out orders on this host: starts and ends machines, and sends them their grants. A machine without an order continues and is
 * reported, because its order may have been lost. All steps can be repeated, so a killed host starts again from the orders. Thread-safe.
 */
final class HostReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(HostReconciler.class);

    private final MachineFleet local;
    private final GpuCatalogue catalogue;
    private final BackendAccess backend;
    private final Map<MachineRef, Long> applied = new HashMap<>();
    private final Map<MachineRef, String> refused = new HashMap<>();
    private DesiredMachines desired = DesiredMachines.NONE;
    private long carriedOut = -1;

    /** @param backend the backend that the runners of jobs call */
    HostReconciler(MachineFleet local, GpuCatalogue catalogue, BackendAccess backend) {
        this.local = local;
        this.catalogue = catalogue;
        this.backend = backend;
    }

    /** The existing machines, the version of their orders, and a flag that is true if the backend accepts labels. */
    record Present(
            long version,
            boolean takesLabels,
            List<MachineObservation> machines,
            Map<MachineRef, Long> applied,
            Map<MachineRef, String> refused) {}

    synchronized void take(DesiredMachines next) {
        desired = next;
        applied.keySet().removeIf(machine -> !next.has(machine));
        refused.keySet().removeIf(machine -> !next.has(machine));
        carryOut();
    }

    /** Retries failed orders, and then lists the existing machines. */
    synchronized Present poll() {
        carryOut();
        return new Present(carriedOut, desired.takesLabels(), local.list(), Map.copyOf(applied), Map.copyOf(refused));
    }

    private void carryOut() {
        if (desired == DesiredMachines.NONE) {
            return;
        }
        boolean isDone = true;
        for (DesiredMachines.Order order : desired.machines()) {
            isDone &= isApplied(order) || carryOut(order);
        }
        carriedOut = isDone ? desired.version() : carriedOut;
    }

    private boolean isApplied(DesiredMachines.Order order) {
        return applied.getOrDefault(order.machine(), 0L) >= order.terms().version();
    }

    /** Carries out an order. Returns false if it must be retried. */
    private boolean carryOut(DesiredMachines.Order order) {
        DebugLog.MACHINE.print(
                "worker: order %d for machine %s: %s",
                order.terms().version(), order.machine(), order.terms().ending() ? "end" : "run");
        try {
            if (order.terms().ending()) {
                local.end(order.machine());
            } else if (!refused.containsKey(order.machine())) {
                ensure(order);
            }
            applied.put(order.machine(), order.terms().version());
            return true;
        } catch (FleetException failure) {
            LOG.info("{} is tried again: {}", order.machine(), failure.getMessage());
            return false;
        }
    }

    private void ensure(DesiredMachines.Order order) {
        try {
            if (!order.terms().started()) {
                local.ensure(order.desired(
                        catalogue,
                        backend.address(),
                        backend.authority().map(HostReconciler::read).orElse(null)));
            }
            order.grants().forEach(grant -> local.bind(order.machine(), grant));
            order.terms().revoked().forEach(hash -> local.revoke(order.machine(), hash));
        } catch (IllegalArgumentException failure) {
            refused.put(order.machine(), failure.getMessage());
        } catch (FleetException failure) {
            switch (failure.kind()) {
                case UNAVAILABLE -> throw failure;
                case REFUSED -> refused.put(order.machine(), failure.getMessage());
                case NOT_FOUND -> LOG.debug("{} has ended", order.machine());
            }
        }
    }

    private static String read(Path authority) {
        try {
            return Files.readString(authority);
        } catch (IOException failure) {
            throw new FleetException(
                    FleetException.Kind.UNAVAILABLE, authority + " cannot be read: " + failure, failure);
        }
    }
}
