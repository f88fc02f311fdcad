package dev.outpost.runtime.session.run;

import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.tape.ProgramSlots;
import dev.outpost.runtime.session.memory.LimitCounters;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.types.MalformedException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client's messages about scans that are queued or running. These messages do not wait in the queue, because the scan
 * itself is ahead of them there. There are at most as many scans as queued messages.
 */
public final class ScanRequests {
    private final LimitCounters limitCounters;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Long, Said> open = new HashMap<>();
    private long lastNumber;

    private static final class Said {
        private long granted;
        private long done;
        private boolean cancelled;
    }

    public ScanRequests(LimitCounters limitCounters) {
        this.limitCounters = limitCounters;
    }

    /** Records a scan that was queued. */
    public void expect(ToRuntime.RunProgram run) {
        lock.lock();
        try {
            if (run.scan() <= lastNumber) {
                throw new MalformedException("scan " + run.scan() + " does not follow " + lastNumber);
            }
            lastNumber = run.scan();
            open.put(lastNumber, new Said());
        } finally {
            lock.unlock();
        }
    }

    /** Grants a scan more emissions. Ignores a scan that has ended. */
    public void grant(ToRuntime.GrantEmissions grant) {
        lock.lock();
        try {
            Said said = open.get(grant.scan());
            if (said != null) {
                requireModest(grant.iterations(), said.done);
                said.granted = Math.max(said.granted, grant.iterations());
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    public void cancel(ToRuntime.CancelScan cancel) {
        lock.lock();
        try {
            Said said = open.get(cancel.scan());
            if (said != null) {
                said.cancelled = true;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    public boolean isCancelled(long scan) {
        lock.lock();
        try {
            return open.get(scan).cancelled;
        } finally {
            lock.unlock();
        }
    }

    /** Grants the first runs of a scan, whose number is in its call. */
    public void begin(long scan, long granted) {
        grant(new ToRuntime.GrantEmissions(scan, granted));
    }

    /** Returns true if this number of runs may emit. */
    public boolean isGranted(long scan, long iterations) {
        lock.lock();
        try {
            return open.get(scan).granted >= iterations;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until this number of runs may emit, or the scan is cancelled. */
    public void awaitGranted(long scan, long iterations) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Said said = open.get(scan);
            while (said.granted < iterations && !said.cancelled) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    public void done(long scan, long iterations) {
        lock.lock();
        try {
            open.get(scan).done = iterations;
        } finally {
            lock.unlock();
        }
    }

    public void over(long scan) {
        lock.lock();
        try {
            open.remove(scan);
        } finally {
            lock.unlock();
        }
    }

    private void requireModest(long granted, long done) {
        if (granted - done > ProgramSlots.MAX_GRANTED) {
            throw limitCounters.refuse(
                    RuntimeLimit.EMISSIONS,
                    granted - done + " runs of a scan are granted, over " + ProgramSlots.MAX_GRANTED);
        }
    }
}
