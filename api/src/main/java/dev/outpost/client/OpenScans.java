package dev.outpost.client;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.types.OutpostException;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.Condition;

/**
 * The scans on a group whose runs are not all sent yet. Handles hold what such a scan binds from its beginning, but the members know
 * those values only behind its last run: whoever uses one before waits for that. Guarded by the ledger's lock, which a thread
 * gives up while it waits here.
 */
public final class OpenScans {
    /** The producer of what these scans bind. It never records. */
    private final SegmentRecorder mark = new SegmentRecorder();

    private final Condition ended;
    private int count;
    /** Why there are no elements of what scans were to compute that failed. */
    private final Map<RemoteValue, OutpostException> failed = new WeakHashMap<>();

    /** @param ended of the ledger's lock */
    OpenScans(Condition ended) {
        this.ended = ended;
    }

    /** A scan begins, and binds these. Its thread must call {@link #end} in any case, and use none of them before. */
    public void begin(RemoteValue[] outputs) {
        count++;
        for (RemoteValue output : outputs) {
            output.producer = mark;
        }
    }

    /** The scan has sent its last run, or has failed. */
    public void end(RemoteValue[] outputs) {
        count--;
        for (RemoteValue output : outputs) {
            output.generation().settle(output);
            output.generation().sendFrees();
        }
        ended.signalAll();
    }

    /** The scan failed before it could compute these: whoever uses one is told why. To be called before {@link #end}. */
    public void fail(RemoteValue[] outputs, OutpostException reason) {
        for (RemoteValue output : outputs) {
            failed.put(output, reason);
        }
    }

    /** Waits until no open scan computes any of these. To be called before anything is read or changed under the lock. */
    public void await(Object... used) {
        while (compute(used)) {
            awaitEnd();
        }
    }

    /** Waits until one of them ends. */
    void awaitEnd() {
        ended.awaitUninterruptibly();
    }

    /**
     * Whether an open scan computes any of these. Fails where one that failed should have.
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

    /** With the stack of the caller. */
    private static OutpostException failure(OutpostException reason) {
        return new OutpostException(
                reason.kind(), SourceLine.calledOp() + ": " + reason.getMessage(), reason.getCause());
    }

    /** That which is used, or null. */
    private static RemoteValue value(Object used) {
        return switch (used) {
            case StoredOperand stored -> stored.storage().handle().value();
            case ValueHandle handle -> handle.value();
            case RemoteValue value -> value;
            default -> null;
        };
    }
}
