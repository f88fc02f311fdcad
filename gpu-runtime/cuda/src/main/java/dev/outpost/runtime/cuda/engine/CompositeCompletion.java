package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.engine.Completion;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Several copies that are one to whoever asked: done when all are, and failed when one is. */
final class CompositeCompletion {
    private final Completion all = new Completion();
    /** And one for whoever adds them. */
    private final AtomicInteger left = new AtomicInteger(1);

    /** Another one; the answer is to be told when it is done, with its failure or null. */
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

    /** None follows. */
    Completion all() {
        done(null);
        return all;
    }
}
