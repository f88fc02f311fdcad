package dev.outpost.runtime.session.context;

import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts internal errors, which should never happen, and reports them to the operator of the machine. */
public final class InternalErrorLog {
    private static final Logger LOG = LoggerFactory.getLogger(InternalErrorLog.class);

    private final LongAdder count = new LongAdder();

    /** @param what the thing that failed; sessions are named by their number */
    public void report(String what, Throwable problem) {
        count.increment();
        LOG.error(what, problem);
    }

    /** Counts an error of a kind that {@link #report} has logged before. */
    public void repeated() {
        count.increment();
    }

    public long count() {
        return count.sum();
    }
}
