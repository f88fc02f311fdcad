package dev.outpost.internal.trace;

import dev.outpost.client.program.Recorder;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.internal.TensorState;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A recorded scan.
 *
 * @param carry the carried tensors after the last run
 * @param max the number of runs if neither a condition nor a cancellation ends the scan earlier
 */
public record RecordedScan(
        Recorder recorder,
        RemoteScan remote,
        EmittedValues emitted,
        List<TensorState> carry,
        long max,
        boolean isConditional,
        AtomicBoolean cancelled) {

    public RecordedScan {
        carry = List.copyOf(carry);
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
