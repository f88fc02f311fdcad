package dev.outpost.cli.worker;

import dev.outpost.channel.client.Channels;
import dev.outpost.channel.client.GrantUse;
import dev.outpost.channel.client.MachineGrants;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the machines of this host how their grants are used, because the backend may be unable to connect to them. One thread at a time uses
 * it.
 */
final class GrantReports {
    private static final Logger LOG = LoggerFactory.getLogger(GrantReports.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final MachineFleet local;
    private final ManagerToken token;
    private final Duration every;
    private final Set<MachineRef> bound = new HashSet<>();
    private long next = System.nanoTime();

    /** @param every the time for which an answer is current */
    GrantReports(MachineFleet local, ManagerToken token, Duration every) {
        this.local = local;
        this.token = token;
        this.every = every;
    }

    /**
     * Asks the machines how their grants are used. Returns the answers, or an empty map if it last asked less than
     * {@code every} ago.
     */
    Map<MachineRef, List<GrantUse>> next(List<MachineObservation> machines) {
        if (System.nanoTime() < next) {
            return Map.of();
        }
        next = System.nanoTime() + every.toNanos();
        bound.retainAll(machines.stream().map(MachineObservation::machine).toList());
        Map<MachineRef, Future<List<GrantUse>>> asked = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            machines.stream()
                    .filter(observation ->
                            observation.state() == MachinePhase.READY && ensureBound(observation.machine()))
                    .forEach(observation -> observation
                            .address()
                            .ifPresent(address -> asked.put(
                                    observation.machine(), threads.submit(() -> ask(observation.machine(), address)))));
        }
        Map<MachineRef, List<GrantUse>> uses = new LinkedHashMap<>();
        asked.forEach((machine, answer) -> answered(answer).ifPresent(said -> uses.put(machine, said)));
        return uses;
    }

    /**
     * Grants this host access to the machine's reports. The machine may receive the grant only after the first
     * question.
     */
    private boolean ensureBound(MachineRef machine) {
        if (bound.contains(machine)) {
            return true;
        }
        try {
            local.bind(machine, new Grant(token.sha256Of(machine), GrantTerms.ALL.withRole(GrantTerms.Role.MANAGE)));
            return bound.add(machine);
        } catch (FleetException failure) {
            LOG.debug("{} is not managed: {}", machine, failure.getMessage());
            return false;
        }
    }

    private List<GrantUse> ask(MachineRef machine, MachineAddress address) throws IOException {
        Channels channels =
                Channels.tls(address.host(), address.port(), address.certificate(), token.of(machine), null);
        try (MachineGrants grants = MachineGrants.open(channels, TIMEOUT)) {
            return grants.report().stream()
                    .filter(use -> !use.tokenSha256().equals(token.sha256Of(machine)))
                    .toList();
        }
    }

    private static Optional<List<GrantUse>> answered(Future<List<GrantUse>> answer) {
        try {
            return Optional.of(answer.get());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException failure) {
            LOG.debug(
                    "a machine does not say how it is used: {}",
                    failure.getCause().getMessage());
            return Optional.empty();
        }
    }
}
