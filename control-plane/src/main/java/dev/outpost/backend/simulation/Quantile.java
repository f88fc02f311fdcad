package dev.outpost.backend.simulation;

import java.time.Duration;
import java.util.List;

/** Quantiles by nearest rank. */
final class Quantile {
    private Quantile() {}

    /** @return zero if there are no values */
    static Duration of(List<Duration> sorted, double part) {
        return sorted.isEmpty() ? Duration.ZERO : sorted.get(Math.max(0, (int) Math.ceil(part * sorted.size()) - 1));
    }
}
