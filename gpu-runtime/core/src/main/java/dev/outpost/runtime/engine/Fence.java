package dev.outpost.runtime.engine;

/** A completion of all work that was submitted to the engine before the fence. */
public final class Fence extends Completion implements Stamp {
    private volatile long nanos;

    /** Returns a fence with no work before it. */
    public static Fence reached(long nanos) {
        Fence fence = new Fence();
        fence.reach(nanos);
        return fence;
    }

    /** Completes the fence. The engine calls this when all earlier work has run. The time comes from the device's clock. */
    public void reach(long deviceNanos) {
        nanos = deviceNanos;
        complete();
    }

    @Override
    public long nanos() {
        return nanos;
    }
}
