package dev.outpost.provider.k8s.desired;

import java.time.Duration;

/** What a machine's life depends on. */
public sealed interface Life {
    /** It lives as long as its client gives a sign of life within every lease. */
    record ClientLease() implements Life {}

    /**
     * It lives for so long, with or without a client.
     *
     * @param duration from the start of its Job on
     */
    record Stated(Duration duration) implements Life {
        public Stated {
            if (!duration.isPositive()) {
                throw new IllegalArgumentException("life: expected more than no time, got " + duration);
            }
        }
    }
}
