package dev.outpost.backend.model.usage;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A time in which a machine is charged: from its start (inclusive) to its end (exclusive).
 *
 * @param from a whole second
 * @param to a whole second; empty while the machine is still charged
 * @param began the reason of its begin, such as {@code READY}
 * @param ended the reason of its end
 */
public record UsageInterval(Instant from, Optional<Instant> to, String began, Optional<String> ended) {
    public UsageInterval {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(began, "began");
        to.filter(from::isAfter).ifPresent(end -> {
            throw new IllegalArgumentException("usage: it ends at " + end + ", before it begins at " + from);
        });
        if (to.isPresent() != ended.isPresent()) {
            throw new IllegalArgumentException("usage: an end has a reason, got " + to + " and " + ended);
        }
    }
}
