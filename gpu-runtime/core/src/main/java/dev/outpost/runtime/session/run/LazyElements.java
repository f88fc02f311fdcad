package dev.outpost.runtime.session.run;

import dev.outpost.types.TensorType;

/** Elements that are not computed until somebody asks for them. Used by the session's worker alone. */
public final class LazyElements implements Value {
    private final Rematerialization rematerialization;
    private final int number;
    private final TensorType type;
    private int owners = 1;
    /** Null until it is computed, or lost in the attempt. */
    private Value made;

    /** @param number the index of the value among those that the rematerialization computes */
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

    /** The stored value, with another owner. */
    public Value made() {
        return made.retain();
    }

    /** Takes over an owner of what it is from now on. */
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
