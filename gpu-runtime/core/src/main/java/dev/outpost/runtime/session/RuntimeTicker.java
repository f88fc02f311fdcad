package dev.outpost.runtime.session;

import dev.outpost.runtime.session.context.InternalErrorLog;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Runs tasks every few milliseconds. A failed task is reported once, and neither stops the other tasks nor its next
 * run. The ticker also detects that the whole process stood still, and that the heap has been full for too long.
 */
final class RuntimeTicker {
    private static final Duration PAUSE = Duration.ofMillis(5);

    /** The time after which a runtime that has no memory for its threads is regarded as lost. */
    private static final Duration EXHAUSTION = Duration.ofSeconds(5);

    /** @param name the task's name in reports of failures */
    record Task(String name, Runnable work) {}

    private final List<Task> tasks;
    private final InternalErrorLog internalErrorLog;
    private final LongSupplier clock;
    private final long latenessNanos;
    private final LongConsumer onStandstill;
    private final Runnable onExhaustion;
    private final Set<String> told = new HashSet<>();
    private long lastRound;
    private long lastWithMemory;
    private boolean exhausted;

    /**
     * @param lateness the delay of a round from which the process counts as having stood still
     * @param onStandstill receives the length of a standstill in nanoseconds, before the tasks of that round
     * @param onExhaustion called once when the heap has been full for {@code EXHAUSTION}
     */
    RuntimeTicker(
            List<Task> tasks,
            InternalErrorLog internalErrorLog,
            LongSupplier clock,
            Duration lateness,
            LongConsumer onStandstill,
            Runnable onExhaustion) {
        this.tasks = tasks;
        this.internalErrorLog = internalErrorLog;
        this.clock = clock;
        this.latenessNanos = lateness.toNanos();
        this.onStandstill = onStandstill;
        this.onExhaustion = onExhaustion;
        this.lastRound = clock.getAsLong();
        this.lastWithMemory = lastRound;
    }

    void runUntil(BooleanSupplier closed) {
        try {
            while (!closed.getAsBoolean()) {
                round();
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void round() {
        long now = clock.getAsLong();
        long late = now - lastRound;
        lastRound = now;
        boolean hasMemory = late <= latenessNanos || attempt("standstill", () -> onStandstill.accept(late));
        for (Task task : tasks) {
            hasMemory &= attempt(task.name, task.work);
        }
        judge(hasMemory, now);
    }

    /** Runs the work. Returns false if it ran out of memory. */
    private boolean attempt(String name, Runnable work) {
        try {
            work.run();
            return true;
        } catch (OutOfMemoryError ignored) {
            return false;
        } catch (RuntimeException | Error failure) {
            report(name, failure);
            return true;
        }
    }

    private void report(String name, Throwable defect) {
        if (told.add(name + " " + defect.getClass().getName())) {
            internalErrorLog.report("the ticker's " + name + " failed, and goes on; told once", defect);
        } else {
            internalErrorLog.repeated();
        }
    }

    private void judge(boolean hasMemory, long now) {
        if (hasMemory) {
            lastWithMemory = now;
        } else if (!exhausted && now - lastWithMemory > EXHAUSTION.toNanos()) {
            exhausted = true;
            onExhaustion.run();
        }
    }
}
