package dev.outpost.runtime.session.context;

import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports internal errors, which should be impossible, to the operator of the machine, and counts them. */
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
