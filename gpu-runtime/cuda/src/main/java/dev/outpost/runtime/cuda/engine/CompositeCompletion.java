package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.engine.Completion;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The joint completion of several copies: done when all of them are done, and failed if one fails. */
final class CompositeCompletion {
    private final Completion all = new Completion();
    /** The number of unfinished copies, plus one until {@link #all} is called. */
    private final AtomicInteger left = new AtomicInteger(1);

    /** Adds a copy. The caller reports its end to the returned consumer, with its failure or null. */
    Consumer<RuntimeException> next() {
        left.incrementAndGet();
        return this::done;
    }

    private void done(RuntimeException failure) {
        if (failure != null) {
            all.fail(failure);
        }
        if (left.decrementAndGet() == 0) {
            all.complete();
        }
    }

    /** Returns the joint completion. No copy may be added afterwards. */
    Completion all() {
        done(null);
        return all;
    }
}
