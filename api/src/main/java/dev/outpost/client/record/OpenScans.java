package dev.outpost.client.record;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.types.OutpostException;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.Condition;

/**
 * The scans on a group that have not sent their last run yet. The program holds handles of a scan's outputs as soon as the scan begins.
 * The members know these values only after the last run, so a thread that uses one earlier waits until the scan ends. Guarded by the
 * ledger's lock, which a waiting thread releases.
 */
public final class OpenScans {
    /** Marks the outputs of open scans as their producer. Records nothing. */
    private final SegmentRecorder mark = new SegmentRecorder();

    private final Condition ended;
    private int count;
    /** The failure of the scan that should have computed a value, by value. */
    private final Map<RemoteValue, OutpostException> failed = new WeakHashMap<>();

    /** @param ended a condition of the ledger's lock */
    OpenScans(Condition ended) {
        this.ended = ended;
    }

    /** Begins a scan with these outputs. The calling thread must call {@link #end} in any case, and must not use an output before. */
    public void begin(RemoteValue[] outputs) {
        count++;
        for (RemoteValue output : outputs) {
            output.producer = mark;
        }
    }

    /** Ends a scan that has sent its last run or has failed, and wakes the threads that wait for its outputs. */
    public void end(RemoteValue[] outputs) {
        count--;
        for (RemoteValue output : outputs) {
            output.epoch().settle(output);
            output.epoch().sendFrees();
        }
        ended.signalAll();
    }

    /**
     * Records that the scan failed before it computed these outputs: each later use of an output fails with this
     * reason. Call this before {@link #end}.
     */
    public void fail(RemoteValue[] outputs, OutpostException reason) {
        for (RemoteValue output : outputs) {
            failed.put(output, reason);
        }
    }

    /**
     * Waits until no open scan computes any of these. Releases the lock during the wait, so call it before anything
     * is read or changed under the lock.
     */
    public void await(Object... used) {
        while (compute(used)) {
            awaitEnd();
        }
    }

    /** Waits until a scan ends. */
    public void awaitEnd() {
        ended.awaitUninterruptibly();
    }

    /**
     * Returns true if an open scan computes any of these. Throws the failure of a scan that should have computed one of them.
     *
     * @param used values, handles and {@link StoredOperand}s; others are ignored
     */
    public boolean compute(Object... used) {
        if (count == 0 && failed.isEmpty()) {
            return false;
        }
        boolean isComputed = false;
        for (Object each : used) {
            RemoteValue value = value(each);
            if (failed.containsKey(value)) {
                throw failure(failed.get(value));
            }
            isComputed |= value != null && value.producer == mark;
        }
        return isComputed;
    }

    /** Returns a copy of the failure with the stack of the current thread. */
    private static OutpostException failure(OutpostException reason) {
        return new OutpostException(
                reason.kind(), SourceLine.calledOp() + ": " + reason.getMessage(), reason.getCause());
    }

    /** Returns the remote value of an operand, or null. */
    private static RemoteValue value(Object used) {
        return switch (used) {
            case StoredOperand stored -> stored.storage().handle().value();
            case ValueHandle handle -> handle.value();
            case RemoteValue value -> value;
            default -> null;
        };
    }
}
