package dev.outpost.backend.model;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Computes the time at which a machine must be checked next if no observation comes. */
public final class NextDueTime {
    private NextDueTime() {}

    /**
     * @return the time, which may be past; empty if the machine has ended
     */
    public static Optional<Instant> at(Machine row, LifeSettings settings, Instant now) {
        return switch (row.phase()) {
            case QUOTA, POSITION, CAPACITY -> Optional.of(row.created().plus(settings.waitLimit()));
            case ENDED -> Optional.empty();
            case ADMITTED, BIND, ENDING -> Optional.of(now);
            case NODE, IMAGE, BOOT ->
                earliest(row.endsAt(), row.placed().map(start -> start.plus(settings.startTimeout())));
            case READY -> row.grantsDue() ? Optional.of(now) : row.endsAt();
            case LOST -> earliest(row.endsAt(), Optional.of(row.since().plus(settings.lostGrace())));
        };
    }

    private static Optional<Instant> earliest(Optional<Instant> one, Optional<Instant> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }
}
