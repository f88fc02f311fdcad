package dev.outpost.runtime.session;

import java.util.concurrent.locks.Condition;

/** A session's place in the order of {@link Turns}. Its methods are the session's worker's alone. */
final class Turn {
    private final Turns turns;
    private final Counter waitNanos;
    private boolean held;

    /** Signalled when the turn comes. Like the following, guarded by the lock of {@link Turns}. */
    final Condition granted;

    long usedNanos;
    long startedNanos;

    Turn(Turns turns, Condition granted, Counter waitNanos) {
        this.turns = turns;
        this.granted = granted;
        this.waitNanos = waitNanos;
    }

    /** Waits until it is this session's turn, unless it is already. */
    void take() throws InterruptedException {
        if (!held) {
            waitNanos.add(turns.take(this));
            held = true;
        }
    }

    /** Called between instructions: lets others have their turn when this one has lasted long enough. */
    void giveWay() throws InterruptedException {
        if (held && turns.isContended()) {
            held = false;
            waitNanos.add(turns.giveWay(this));
            held = true;
        }
    }

    /** Called before anything that may wait. */
    void giveBack() {
        if (held) {
            held = false;
            turns.giveBack(this);
        }
    }
}
