package dev.outpost.backend.fleet;

import java.time.Duration;

/** The work of one loop of a replica ({@link Fleet}). */
public interface Reconciler extends AutoCloseable {
    /** Most loops look for rows that are due this often. */
    Duration SOON = Duration.ofSeconds(1);

    /** The name of the loop, by which {@link Wakeups} and the readiness check know it. */
    String name();

    /** The longest time between two rounds. */
    Duration period();

    /** Does all that is due. */
    void round();

    /** Lets a round that is under way end early. */
    default void stop() {}

    /** Ends what goes on besides the rounds. No round begins after this. */
    @Override
    default void close() {}

    /** A loop that has nothing to close. */
    static Reconciler of(String name, Duration period, Runnable round) {
        return new Reconciler() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Duration period() {
                return period;
            }

            @Override
            public void round() {
                round.run();
            }
        };
    }
}
