package dev.outpost.backend.simulation;

import dev.outpost.channel.Trust;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.FleetException.Kind;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import io.smallrye.mutiny.Multi;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** A cluster of simulated machines, with random faults. Not thread-safe. */
final class SimulatedCluster implements MachineFleet {
    private static final String CERTIFICATE = "0c".repeat(32);
    private static final int PORT = 7777;
    private static final double SECONDS_AN_HOUR = 3600;
    private static final double HOURS_A_DAY = 24;
    private static final Duration SHORTEST_END = Duration.ofSeconds(2);

    private final String installation;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final InjectedFaults faults;
    private final Map<MachineRef, SimulatedMachine> machines = new LinkedHashMap<>();
    private Instant looked;
    private Instant awayUntil = Instant.MIN;

    SimulatedCluster(String installation, InstantSource clock, RandomGenerator random, InjectedFaults faults) {
        this.installation = installation;
        this.clock = clock;
        this.random = random;
        this.faults = faults;
        this.looked = clock.instant();
    }

    /** Applies the changes that were due since the last call, and returns the observations that a watch would report. */
    List<MachineObservation> advance() {
        Instant now = clock.instant();
        double days = Duration.between(looked, now).toMillis() / 1_000.0 / SECONDS_AN_HOUR / HOURS_A_DAY;
        looked = now;
        if (random.nextDouble() < faults.outagesADay() * days) {
            awayUntil = now.plus(faults.outage());
        }
        List<MachineObservation> news = new ArrayList<>();
        Iterator<SimulatedMachine> all = machines.values().iterator();
        while (all.hasNext()) {
            SimulatedMachine machine = all.next();
            while (machine.turn(now)) {
                if (!isAway() && random.nextDouble() >= faults.missedNews()) {
                    news.add(machine.seen());
                }
            }
            if (machine.state() == MachinePhase.GONE) {
                all.remove();
            }
        }
        return news;
    }

    boolean isAway() {
        return clock.instant().isBefore(awayUntil);
    }

    /** Returns all machines, even while the cluster is unreachable. */
    Collection<MachineObservation> truth() {
        return machines.values().stream().map(SimulatedMachine::seen).toList();
    }

    // ---- calls of the backend

    @Override
    public String installation() {
        return installation;
    }

    @Override
    public void validate(DesiredMachine machine) {
        // All kinds exist in a simulation.
    }

    @Override
    public MachineObservation ensure(DesiredMachine desired) {
        requireThere();
        SimulatedMachine machine = machines.computeIfAbsent(desired.machine(), ref -> make(desired));
        loseAnswer();
        return machine.seen();
    }

    private SimulatedMachine make(DesiredMachine desired) {
        Instant now = clock.instant();
        SimulatedMachine made = new SimulatedMachine(
                desired,
                new MachineAddress("192.0.2.1", PORT, new Trust.Pin(CERTIFICATE)),
                new SimulatedMachine.Turn(now, MachinePhase.SCHEDULING, "a node is looked for"));
        Instant node = after(now, Duration.ofSeconds(5));
        Instant image = after(node, Duration.ofSeconds(40));
        Instant boot = after(image, Duration.ofSeconds(15));
        made.plan(node, MachinePhase.PULLING, "its image is fetched");
        made.plan(image, MachinePhase.STARTING, "its process starts");
        if (random.nextDouble() < faults.failedStarts()) {
            made.plan(boot, MachinePhase.ENDED, "its process failed with status 1");
        } else {
            made.plan(boot, MachinePhase.READY, "it serves");
            planEnd(made, boot);
        }
        return made;
    }

    /** Draws times of a crash and of a lost node, and plans the earlier of the two. */
    private void planEnd(SimulatedMachine machine, Instant ready) {
        Instant crash = hours(ready, faults.crashesAnHour());
        Instant lost = hours(ready, faults.lostNodesAnHour());
        if (lost.isBefore(crash)) {
            machine.plan(lost, MachinePhase.UNREACHABLE, "its node is silent");
            boolean comesBack = random.nextBoolean();
            machine.plan(
                    after(lost, Duration.ofSeconds(30)),
                    comesBack ? MachinePhase.READY : MachinePhase.ENDED,
                    comesBack ? "its node is back" : "its node is gone");
            lost = hours(after(lost, Duration.ofMinutes(10)), faults.crashesAnHour());
        }
        if (crash.isBefore(lost) && crash.isBefore(Instant.MAX)) {
            machine.plan(crash, MachinePhase.ENDED, "its process failed with status 137");
        }
    }

    private Instant hours(Instant from, double anHour) {
        return anHour == 0
                ? Instant.MAX
                : from.plusMillis(Math.round(random.nextExponential() / anHour * SECONDS_AN_HOUR * 1_000));
    }

    /** Draws a time after a start: half of the mean, plus a random part. */
    private Instant after(Instant from, Duration mean) {
        return from.plusMillis(Math.round(mean.toMillis() * (0.5 + 0.5 * random.nextExponential())));
    }

    private void requireThere() {
        if (isAway()) {
            throw new FleetException(Kind.UNAVAILABLE, "the simulated cluster does not answer");
        }
    }

    private void loseAnswer() {
        if (random.nextDouble() < faults.lostAnswers()) {
            throw new FleetException(Kind.UNAVAILABLE, "the simulated cluster's answer was lost");
        }
    }

    @Override
    public List<MachineObservation> list() {
        requireThere();
        return List.copyOf(truth());
    }

    @Override
    public FleetWatch watch(Consumer<MachineObservation> listener) {
        throw new UnsupportedOperationException("a simulation asks each cluster for its news by advance()");
    }

    @Override
    public void bind(MachineRef machine, Grant grant) {
        requireMachine(machine);
    }

    @Override
    public void revoke(MachineRef machine, String tokenSha256) {
        requireMachine(machine);
    }

    private void requireMachine(MachineRef machine) {
        requireThere();
        if (!machines.containsKey(machine)) {
            throw new FleetException(Kind.NOT_FOUND, "there is no machine " + machine);
        }
    }

    @Override
    public void end(MachineRef ref) {
        requireThere();
        SimulatedMachine machine = machines.get(ref);
        if (machine != null) {
            Instant now = clock.instant();
            machine.end(now, after(now, SHORTEST_END));
        }
        loseAnswer();
    }

    @Override
    public Multi<String> logs(MachineRef machine, boolean follow) {
        requireMachine(machine);
        return Multi.createFrom().empty();
    }

    @Override
    public void close() {
        // There is nothing to close.
    }
}
