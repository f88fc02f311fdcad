package dev.outpost.client.failures;

import dev.outpost.types.OutpostException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports unexpected exceptions of threads that have to go on. */
public final class InternalErrorReporter {
    private static final Logger LOG = LoggerFactory.getLogger(InternalErrorReporter.class);

    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /** Does something that is done again and again; a defect in it is logged the first time. What is said to callers passes. */
    public void runReporting(String who, Runnable round) {
        try {
            round.run();
        } catch (OutpostException expected) {
            throw expected;
        } catch (RuntimeException | Error failure) {
            if (told.add(who + failure.getClass().getName())) {
                LOG.error("{} failed, and goes on; told once", who, failure);
            }
        }
    }
}
