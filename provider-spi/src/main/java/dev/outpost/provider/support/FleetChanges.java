package dev.outpost.provider.support;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Derives the changes that a watch reports from successive lists of all machines. Not thread-safe. */
public final class FleetChanges {
    private final Consumer<MachineObservation> listener;
    private Map<MachineRef, MachineObservation> known = Map.of();

    public FleetChanges(Consumer<MachineObservation> listener) {
        this.listener = listener;
    }

    /**
     * Reports the differences from the last list: machines that are gone first, then new and changed ones. If the listener fails for
     * one machine, it still gets the others.
     *
     * @throws RuntimeException the first failure of the listener
     */
    public void report(List<MachineObservation> seen) {
        Map<MachineRef, MachineObservation> before = known;
        known = seen.stream().collect(Collectors.toMap(MachineObservation::machine, Function.identity()));
        Stream<MachineObservation> gone = before.values().stream()
                .filter(old -> !known.containsKey(old.machine()))
                .map(FleetChanges::gone);
        Stream<MachineObservation> changed = seen.stream().filter(now -> !now.equals(before.get(now.machine())));
        Optional<RuntimeException> failure = Optional.empty();
        for (MachineObservation news : Stream.concat(gone, changed).toList()) {
            Optional<RuntimeException> one = report(news);
            failure = failure.or(() -> one);
        }
        failure.ifPresent(failed -> {
            throw failed;
        });
    }

    private Optional<RuntimeException> report(MachineObservation news) {
        try {
            listener.accept(news);
            return Optional.empty();
        } catch (RuntimeException failure) {
            return Optional.of(failure);
        }
    }

    /** Returns true if a machine of the last list is starting or ending, so that another change may follow soon. */
    public boolean isBusy() {
        return known.values().stream().map(MachineObservation::state).anyMatch(FleetChanges::passes);
    }

    private static boolean passes(MachinePhase state) {
        return switch (state) {
            case QUEUED, SCHEDULING, PULLING, STARTING, CONNECTING, ENDING -> true;
            case READY, UNREACHABLE, ENDED, GONE -> false;
        };
    }

    private static MachineObservation gone(MachineObservation last) {
        return new MachineObservation(
                last.machine(),
                last.gpu(),
                MachinePhase.GONE,
                "it no longer exists",
                Optional.empty(),
                last.address(),
                last.created(),
                Instant.now(),
                last.labels());
    }
}
