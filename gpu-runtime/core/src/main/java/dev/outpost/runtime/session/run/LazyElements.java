package dev.outpost.runtime.session.run;

import dev.outpost.types.TensorType;

/**
 * A deferred value, whose elements are computed only when they are needed. Used by the session's worker thread alone.
 */
public final class LazyElements implements Value {
    private final Rematerialization rematerialization;
    private final int number;
    private final TensorType type;
    private int owners = 1;
    /** The computed value, which is poisoned if the computation failed; null until it is computed. */
    private Value made;

    /** @param number the index of the value among the values that the rematerialization computes */
    public LazyElements(Rematerialization rematerialization, int number, TensorType type) {
        this.rematerialization = rematerialization;
        this.number = number;
        this.type = type;
    }

    public Rematerialization rematerialization() {
        return rematerialization;
    }

    public int number() {
        return number;
    }

    public boolean isMade() {
        return made != null;
    }

    /** Returns the computed value with an additional owner. */
    public Value made() {
        return made.retain();
    }

    /** Sets the computed value, and takes over one of its owners. */
    public void become(Value value) {
        made = value;
        rematerialization.forget(this);
    }

    @Override
    public TensorType type() {
        return type;
    }

    @Override
    public LazyElements retain() {
        owners++;
        return this;
    }

    @Override
    public void release() {
        owners--;
        if (owners < 0) {
            throw new IllegalStateException("a deferred value was released more often than it was retained");
        }
        if (owners == 0 && made == null) {
            rematerialization.forget(this);
        } else if (owners == 0) {
            made.release();
        }
    }
}
