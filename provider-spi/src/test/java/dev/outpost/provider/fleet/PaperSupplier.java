package dev.outpost.provider.fleet;

import dev.outpost.channel.Trust;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.FleetException.Kind;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A supplier in memory, for tests of code that drives fleets. Its machines are {@code QUEUED} until a test changes them, or ready
 * at once. A test can also stop the supplier's answers. The thread that makes a change notifies the watches.
 */
public final class PaperSupplier implements FleetProvider {
    /** The state of one machine. */
    private static final class Paper {
        private final String installation;
        private final DesiredMachine desired;
        private final Map<String, Grant> grants = new LinkedHashMap<>();
        private MachineObservation observation;

        private Paper(String installation, DesiredMachine desired, MachineObservation observation) {
            this.installation = installation;
            this.desired = desired;
            this.observation = observation;
            desired.grants().forEach(grant -> grants.put(grant.tokenSha256(), grant));
        }
    }

    private final InstantSource clock;
    private final boolean readyAtOnce;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<MachineRef, Paper> machines = new LinkedHashMap<>();
    private final Map<Consumer<MachineObservation>, String> listeners = new HashMap<>();
    private final Map<String, GpuAvailability> offers = new HashMap<>();
    private final Map<String, String> refusals = new HashMap<>();
    private String trouble = "";
    private int made;

    public PaperSupplier(InstantSource clock, boolean readyAtOnce) {
        this.clock = clock;
        this.readyAtOnce = readyAtOnce;
    }

    @Override
    public String name() {
        return "paper";
    }

    @Override
    public MachineFleet open(String installation, Map<String, String> options) {
        requireNone(options);
        return new PaperFleet(this, installation);
    }

    // ---- for tests

    /** Fails all later calls; an empty text ends this. Watches are not notified meanwhile. */
    public void breakDown(String reason) {
        locked(() -> {
            boolean back = reason.isEmpty();
            trouble = reason;
            if (back) {
                machines.values().forEach(this::report);
            }
            return null;
        });
    }

    /** Sets the reported availability of a kind of GPU. Others have none, and machines start regardless of it. */
    public void offer(String gpu, GpuAvailability availability) {
        locked(() -> offers.put(gpu, availability));
    }

    /** Refuses machines with a kind of GPU from now on. */
    public void refuse(String gpu, String reason) {
        locked(() -> refusals.put(gpu, reason));
    }

    void requireAccepted(String gpu) {
        String reason = locked(() -> refusals.get(gpu));
        if (reason != null) {
            throw new IllegalArgumentException(reason);
        }
    }

    /** Returns the number of machines that were made so far. */
    public int made() {
        return locked(() -> made);
    }

    /** The grants of a machine. */
    public Collection<Grant> grants(MachineRef machine) {
        return locked(() -> List.copyOf(machines.get(machine).grants.values()));
    }

    /** The description with which the machine was made. */
    public DesiredMachine desired(MachineRef machine) {
        return locked(() -> machines.get(machine).desired);
    }

    public void become(MachineRef machine, MachinePhase state, String reason) {
        locked(() -> change(machines.get(machine), state, reason, Optional.empty()));
    }

    public void fail(MachineRef machine, EndCause cause, String reason) {
        locked(() -> change(machines.get(machine), MachinePhase.ENDED, reason, Optional.of(cause)));
    }

    /** Ends the machines whose lease has expired; simulated machines have no clients. */
    public void expire(Duration passed) {
        locked(() -> {
            machines.values().stream()
                    .filter(paper -> paper.observation.state() == MachinePhase.READY)
                    .filter(paper -> paper.desired
                            .bounds()
                            .lease()
                            .filter(lease -> lease.compareTo(passed) <= 0)
                            .isPresent())
                    .forEach(paper -> change(
                            paper,
                            MachinePhase.ENDED,
                            "nothing was heard of any client",
                            Optional.of(EndCause.UNUSED)));
            return null;
        });
    }

    // ---- for its fleets

    static void requireNone(Map<String, String> options) {
        if (!options.isEmpty()) {
            throw new IllegalArgumentException("paper has no options, got " + options);
        }
    }

    Optional<GpuAvailability> availability(String gpu) {
        return call(() -> Optional.ofNullable(offers.get(gpu)));
    }

    MachineObservation ensure(String installation, DesiredMachine desired) {
        return call(() -> {
            Paper there = machines.get(desired.machine());
            if (there == null) {
                return make(installation, desired);
            }
            if (!there.installation.equals(installation)) {
                throw new FleetException(Kind.REFUSED, desired.machine() + " belongs to another installation");
            }
            return there.observation;
        });
    }

    private MachineObservation make(String installation, DesiredMachine desired) {
        made++;
        Instant now = clock.instant();
        MachineObservation queued = new MachineObservation(
                desired.machine(),
                desired.gpu().name(),
                MachinePhase.QUEUED,
                "waiting for paper",
                Optional.empty(),
                Optional.empty(),
                now,
                now,
                desired.labels());
        Paper paper = new Paper(installation, desired, queued);
        machines.put(desired.machine(), paper);
        return readyAtOnce ? change(paper, MachinePhase.READY, "folded", Optional.empty()) : report(paper);
    }

    List<MachineObservation> list(String installation) {
        return call(() -> machines.values().stream()
                .filter(paper -> paper.installation.equals(installation))
                .map(paper -> paper.observation)
                .toList());
    }

    FleetWatch watch(String installation, Consumer<MachineObservation> listener) {
        Consumer<MachineObservation> own = observation -> listener.accept(observation);
        locked(() -> {
            listeners.put(own, installation);
            list(installation).forEach(own);
            return null;
        });
        return () -> locked(() -> listeners.remove(own));
    }

    void bind(String installation, MachineRef machine, Grant grant) {
        call(() -> live(installation, machine).grants.put(grant.tokenSha256(), grant));
    }

    void revoke(String installation, MachineRef machine, String tokenSha256) {
        call(() -> live(installation, machine).grants.remove(tokenSha256));
    }

    void end(String installation, MachineRef machine) {
        call(() -> {
            find(installation, machine).ifPresent(paper -> {
                change(paper, MachinePhase.GONE, "it no longer exists", Optional.empty());
                machines.remove(machine);
            });
            return null;
        });
    }

    List<String> log(String installation, MachineRef machine) {
        return call(() -> List.of(find(installation, machine)
                .orElseThrow(() -> missing(machine))
                .observation
                .reason()));
    }

    private Optional<Paper> find(String installation, MachineRef machine) {
        return Optional.ofNullable(machines.get(machine)).filter(paper -> paper.installation.equals(installation));
    }

    private Paper live(String installation, MachineRef machine) {
        return find(installation, machine)
                .filter(paper -> paper.observation.isLive())
                .orElseThrow(() -> missing(machine));
    }

    private static FleetException missing(MachineRef machine) {
        return new FleetException(Kind.NOT_FOUND, "paper has no machine " + machine + ", or it has ended");
    }

    private MachineObservation change(Paper paper, MachinePhase state, String reason, Optional<EndCause> cause) {
        Optional<MachineAddress> address = state == MachinePhase.READY
                ? Optional.of(new MachineAddress("192.0.2.1", 1 + made, new Trust.Pin("0c".repeat(32))))
                : paper.observation.address();
        paper.observation = new MachineObservation(
                paper.observation.machine(),
                paper.observation.gpu(),
                state,
                reason,
                cause,
                address,
                paper.observation.created(),
                clock.instant(),
                paper.observation.labels());
        return report(paper);
    }

    private MachineObservation report(Paper paper) {
        if (trouble.isEmpty()) {
            new ArrayList<>(listeners.entrySet())
                    .stream()
                            .filter(listener -> listener.getValue().equals(paper.installation))
                            .forEach(listener -> listener.getKey().accept(paper.observation));
        }
        return paper.observation;
    }

    private <T> T call(Supplier<T> body) {
        return locked(() -> {
            if (!trouble.isEmpty()) {
                throw new FleetException(Kind.UNAVAILABLE, "paper: " + trouble);
            }
            return body.get();
        });
    }

    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }
}
