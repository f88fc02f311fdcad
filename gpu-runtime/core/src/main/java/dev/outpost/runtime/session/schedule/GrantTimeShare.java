package dev.outpost.runtime.session.schedule;

import dev.outpost.channel.grant.GrantTerms;

/**
 * How fast the sessions of one grant use up what they may have of the engine's time. Those that want it at once share the
 * grant's weight, so a grant gets no more by opening more sessions. Guarded by the lock of {@link EngineScheduler}, but for
 * the weight.
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

    /** A session of the grant wants the engine, or has it. */
    public void enter() {
        wanting++;
    }

    public void leave() {
        wanting--;
    }

    /** The weighted charge of so much time: as much for one session of normal weight that is alone in its grant. */
    public double charge(long nanos) {
        return (double) nanos * Math.max(1, wanting) * GrantTerms.NORMAL_WEIGHT / weight;
    }
}
