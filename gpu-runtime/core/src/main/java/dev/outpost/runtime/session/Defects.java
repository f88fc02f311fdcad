package dev.outpost.runtime.session;

import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What went wrong that should be impossible: told to whoever runs the machine, and counted. */
final class Defects {
    private static final Logger LOG = LoggerFactory.getLogger(Defects.class);

    private final LongAdder count = new LongAdder();

    /** @param what what failed; sessions are named by their number */
    void report(String what, Throwable problem) {
        count.increment();
        LOG.error(what, problem);
    }

    /** As {@link #report}, for what was told before: it is only counted. */
    void repeated() {
        count.increment();
    }

    long count() {
        return count.sum();
    }
}
