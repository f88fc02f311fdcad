package dev.outpost.backend.faults;

import dev.outpost.backend.model.Pool;
import dev.outpost.channel.Trust;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The real state of a machine: it starts, ends at its own limits, and runs the program of a job. */
final class HostMachine {
    private static final Duration START = Duration.ofSeconds(20);
    private static final MachineAddress ADDRESS = new MachineAddress("192.0.2.1", 7777, new Trust.Pin("0c".repeat(32)));

    private final World world;
    private final Hosts hosts;
    private final int cluster;
    private final DesiredMachine desired;
    private final Instant created;

    /** The time by the clock of its cluster. */
    private final Instant createdByClock;

    private final Map<String, GrantTerms> grants = new LinkedHashMap<>();
    private final Optional<SimulatedJobRunner> runner;
    private Instant sinceByClock;
    private Optional<Instant> ready = Optional.empty();
    private Optional<EndCause> end = Optional.empty();
    private String reason = "it starts";

    /** The time of the last use by a client. */
    private Instant used;

    private Instant unheardUntil = Instant.MIN;

    HostMachine(World world, Hosts hosts, int cluster, DesiredMachine desired) {
        this.world = world;
        this.hosts = hosts;
        this.cluster = cluster;
        this.desired = desired;
        this.created = world.now();
        this.createdByClock = hosts.clock(cluster);
        this.sinceByClock = createdByClock;
        this.used = created;
        this.runner = desired.job().map(job -> new SimulatedJobRunner(world, this));
        world.record(new Happening.Made(id()));
        desired.grants().forEach(grant -> bind(grant.tokenSha256(), grant.terms()));
    }

    UUID id() {
        return UUID.fromString(desired.machine().id());
    }

    int cluster() {
        return cluster;
    }

    boolean isRunning() {
        return end.isEmpty();
    }

    boolean isReady() {
        return ready.isPresent() && isRunning();
    }

    /** Returns true if the machine waits in a pool and is not claimed. */
    private boolean isWarm() {
        return desired.labels().get("organisation").equals(Pool.ORGANISATION) && grants.isEmpty();
    }

    // ---- changes from outside

    void bind(String token, GrantTerms terms) {
        grants.put(token, terms);
        world.organisationOf(token).ifPresent(name -> world.record(new Happening.Bound(id(), name)));
    }

    void revoke(String token) {
        grants.remove(token);
    }

    void stop(EndCause cause, String why) {
        if (isRunning()) {
            end = Optional.of(cause);
            reason = why;
            sinceByClock = hosts.clock(cluster);
            runner.ifPresent(SimulatedJobRunner::kill);
            world.record(new Happening.Stopped(id()));
        }
    }

    void lose(Duration time) {
        unheardUntil = world.now().plus(time);
    }

    void find() {
        unheardUntil = Instant.MIN;
    }

    void killRunner() {
        runner.ifPresent(SimulatedJobRunner::kill);
    }

    /** Returns true if the machine is cut off from its cluster and the backend. */
    boolean isUnheard() {
        return world.now().isBefore(unheardUntil);
    }

    // ---- its own work

    /** Updates the machine after time has passed. */
    void live() {
        if (!isRunning()) {
            return;
        }
        if (ready.isEmpty() && !world.now().isBefore(created.plus(START))) {
            ready = Optional.of(world.now());
            used = world.now();
            sinceByClock = hosts.clock(cluster);
            reason = "it serves";
            world.record(new Happening.Ready(id()));
        }
        if (isReady()) {
            runner.ifPresent(SimulatedJobRunner::work);
            boolean isUsed = isWarm() && world.hasReplica() && !hosts.isCut(cluster)
                    || grants.entrySet().stream()
                            .anyMatch(grant ->
                                    hosts.isInForce(cluster, grant.getValue()) && world.isUsing(grant.getKey()))
                    || world.isServing(id());
            used = isUsed ? world.now() : used;
            bound(desired.bounds().lease(), used, EndCause.UNUSED);
            bound(desired.bounds().life(), ready.orElseThrow(), EndCause.EXPIRED);
        }
    }

    private void bound(Optional<Duration> time, Instant from, EndCause cause) {
        time.filter(bound -> !from.plus(bound).isAfter(world.now()))
                .ifPresent(bound -> stop(cause, "its " + cause + " bound of " + bound + " was reached"));
    }

    MachineObservation seen() {
        MachinePhase state = end.isPresent()
                ? MachinePhase.ENDED
                : isUnheard()
                        ? MachinePhase.UNREACHABLE
                        : ready.isPresent() ? MachinePhase.READY : MachinePhase.STARTING;
        return new MachineObservation(
                desired.machine(),
                desired.gpu().name(),
                state,
                reason,
                end,
                ready.map(since -> ADDRESS),
                createdByClock,
                sinceByClock,
                desired.labels());
    }
}
