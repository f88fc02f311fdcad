package dev.outpost.backend.fleet;

import java.util.List;

/** Periodic tasks, run one after the other. A failing task does not stop the others. */
public final class Housekeeping implements Runnable {
    private final List<Runnable> tasks;

    public Housekeeping(Runnable... tasks) {
        this.tasks = List.of(tasks);
    }

    /** Runs all tasks, then throws the first failure, with the others suppressed. */
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
