package dev.outpost.backend.fleet;

import java.util.List;

/** Tasks that are done now and then, one after the other. One that fails keeps none of the others from being done. */
public final class Housekeeping implements Runnable {
    private final List<Runnable> tasks;

    public Housekeeping(Runnable... tasks) {
        this.tasks = List.of(tasks);
    }

    /** Throws the first failure once all tasks were tried, with the other failures as suppressed ones. */
    @Override
    public void run() {
        RuntimeException first = null;
        for (Runnable task : tasks) {
            try {
                task.run();
            } catch (RuntimeException failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
