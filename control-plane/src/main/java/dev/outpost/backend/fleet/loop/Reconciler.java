package dev.outpost.backend.fleet.loop;

import java.time.Duration;

/** The work of one loop of a replica ({@link Fleet}). */
public interface Reconciler extends AutoCloseable {
    /** The interval at which most loops search for due rows. */
    Duration SOON = Duration.ofSeconds(1);

    /** Returns the name of the loop in {@link Wakeups} and in the readiness check. */
    String name();

    /** Returns the longest time between two rounds. */
    Duration period();

    /** Does all due work. */
    void round();

    /** Makes a running round end early. */
    default void stop() {}

    /** Ends work that runs outside of rounds. No round begins after this call. */
    @Override
    default void close() {}

    /** Returns a loop that has nothing to close. */
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
