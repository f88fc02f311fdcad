package dev.outpost.runtime.session.schedule;

import dev.outpost.channel.grant.GrantTerms;

/**
 * Charges the sessions of one grant for engine time. The sessions that need the engine at the same time share the
 * grant's weight, so opening more sessions gains nothing. Guarded by the lock of {@link EngineScheduler}, except the
 * weight.
 */
public final class GrantTimeShare {
    private volatile int weight;
    private int wanting;

    public GrantTimeShare(int weight) {
        this.weight = weight;
    }

    public void weigh(int newWeight) {
        weight = newWeight;
    }

    /** Counts a session of the grant that has or waits for the engine. */
    public void enter() {
        wanting++;
    }

    public void leave() {
        wanting--;
    }

    /**
     * Returns the weighted charge of this time. It equals the time for one session of normal weight that is alone in
     * its grant.
     */
    public double charge(long nanos) {
        return (double) nanos * Math.max(1, wanting) * GrantTerms.NORMAL_WEIGHT / weight;
    }
}
