package dev.outpost.client.failures;

import dev.outpost.types.OutpostException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports unexpected exceptions of threads that must continue. */
public final class InternalErrorReporter {
    private static final Logger LOG = LoggerFactory.getLogger(InternalErrorReporter.class);

    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /** Runs one round of a repeated task. Logs an unexpected exception the first time. Exceptions that are meant for callers are thrown. */
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
