package dev.outpost.runtime.session;

import dev.outpost.channel.grant.GrantTerms;

/**
 * How fast the sessions of one grant use up what they may have of the engine's time. Those that want it at once share the
 * grant's weight, so a grant gets no more by opening more sessions. Guarded by the lock of {@link EngineScheduler}, but for
 * the weight.
 */
final class GrantTurns {
    private volatile int weight;
    private int wanting;

    GrantTurns(int weight) {
        this.weight = weight;
    }

    void weigh(int newWeight) {
        weight = newWeight;
    }

    /** A session of the grant wants the engine, or has it. */
    void enter() {
        wanting++;
    }

    void leave() {
        wanting--;
    }

    /** What so much time counts as: as much for one session of normal weight that is alone in its grant. */
    double charge(long nanos) {
        return (double) nanos * Math.max(1, wanting) * GrantTerms.NORMAL_WEIGHT / weight;
    }
}
