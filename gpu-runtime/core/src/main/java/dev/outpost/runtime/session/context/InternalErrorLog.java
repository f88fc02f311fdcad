package dev.outpost.runtime.session.context;

import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The failures that should be impossible: reported to the operator of the machine, and counted. */
public final class InternalErrorLog {
    private static final Logger LOG = LoggerFactory.getLogger(InternalErrorLog.class);

    private final LongAdder count = new LongAdder();

    /** @param what what failed; sessions are named by their number */
    public void report(String what, Throwable problem) {
        count.increment();
        LOG.error(what, problem);
    }

    /** As {@link #report}, for what was told before: it is only counted. */
    public void repeated() {
        count.increment();
    }

    public long count() {
        return count.sum();
    }
}
