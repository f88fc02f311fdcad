package dev.outpost.runtime.engine;

/** Done when everything has run that the engine was asked to compute before. */
public final class Fence extends Completion implements Stamp {
    private volatile long nanos;

    /** A fence that nothing lies before. */
    public static Fence reached(long nanos) {
        Fence fence = new Fence();
        fence.reach(nanos);
        return fence;
    }

    /** For the engine: all before it has run, and the device's clock said that. */
    public void reach(long deviceNanos) {
        nanos = deviceNanos;
        complete();
    }

    @Override
    public long nanos() {
        return nanos;
    }
}
