package dev.outpost.internal.trace;

import dev.outpost.client.program.Recorder;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.internal.TensorState;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A recorded scan. */
public final class RecordedScan {
    private final Recorder recorder;
    private final RemoteScan remote;
    private final EmittedValues emitted;
    private final List<TensorState> carry;
    private final long max;
    private final boolean isConditional;
    private final AtomicBoolean cancelled = new AtomicBoolean();

    RecordedScan(
            Recorder recorder,
            RemoteScan remote,
            EmittedValues emitted,
            List<TensorState> carry,
            long max,
            boolean isConditional) {
        this.recorder = recorder;
        this.remote = remote;
        this.emitted = emitted;
        this.carry = List.copyOf(carry);
        this.max = max;
        this.isConditional = isConditional;
    }

    public Recorder recorder() {
        return recorder;
    }

    public RemoteScan remote() {
        return remote;
    }

    public EmittedValues emitted() {
        return emitted;
    }

    /** The carried tensors after the last run. */
    public List<TensorState> carry() {
        return carry;
    }

    /** The number of runs if neither a condition nor a cancellation ends the scan earlier. */
    public long max() {
        return max;
    }

    /** Returns the number of runs. Waits for the last. */
    public long iterations() {
        return recorder.waits().await(remote.over());
    }

    /** Returns the number of runs without waiting, unless a condition or a cancel may end the scan earlier. */
    public long counted() {
        return isConditional || cancelled.get() ? iterations() : max;
    }

    /** Ends the scan after the current run. */
    public void cancel() {
        cancelled.set(true);
        remote.cancel();
    }
}
