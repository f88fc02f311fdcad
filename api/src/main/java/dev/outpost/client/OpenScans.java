package dev.outpost.client;

import java.util.Arrays;
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
     * Whether an open scan computes any of these.
     *
     * @param used values, handles and {@link StoredOperand}s; others are ignored
     */
    public boolean compute(Object... used) {
        return count > 0 && Arrays.stream(used).anyMatch(this::computes);
    }

    private boolean computes(Object used) {
        return switch (used) {
            case StoredOperand stored -> computes(stored.storage().handle());
            case ValueHandle handle -> handle.value() != null && computes(handle.value());
            case RemoteValue value -> value.producer == mark;
            default -> false;
        };
    }
}
