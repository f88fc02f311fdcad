package dev.outpost.runtime.session.run;

import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.engine.PreparedLaunchGroup;
import dev.outpost.runtime.engine.Stamp;
import dev.outpost.runtime.explain.PlanTimes;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.plan.LaunchGroup;
import dev.outpost.runtime.session.stats.DeviceMeter;
import dev.outpost.runtime.session.stats.SessionCounters;
import java.util.List;
import java.util.Optional;

/** Launches a session's kernels, and tells observers how long each ran. Used by the worker alone. */
final class Launches {
    private final SessionContext context;
    private final SessionCounters counters;
    /** Null where the engine is not asynchronous. */
    private final DeviceMeter device;

    private final KernelClock clock = new KernelClock();
    /** Of the segment that runs; null where nobody looks on. */
    private RunObserver observer;
    /** Of the plan that runs; null where its tasks are not timed. */
    private PlanTimes known;
    /** Which of the plan's tasks runs. */
    private int task;

    Launches(SessionContext context) {
        this.context = context;
        this.counters = context.counters();
        this.device = context.device();
    }

    /**
     * Launches from now on belong to another run.
     *
     * @param newObserver null where nobody looks on
     * @param newKnown how long tasks of its plan took before; null where they are not timed
     */
    void observe(RunObserver newObserver, PlanTimes newKnown) {
        observer = newObserver;
        known = newKnown;
    }

    /** Launches from now on belong to that task of the plan. */
    void begins(int newTask) {
        task = newTask;
    }

    /** @param listener null where nobody looks on */
    void run(Kernel kernel, Op op, Array[] operands, Array[] results, KernelTimeListener listener) {
        if (device == null) {
            launch(kernel, op, operands, results, listener, 1);
        } else {
            launchLater(kernel, op, operands, results, listener);
        }
    }

    /** As {@link #run}, for one instruction: where nobody looks on, its time may be a guess. */
    void one(Kernel kernel, Op op, Array[] operands, Array[] results, KernelTimeListener listener) {
        if (device != null) {
            launchLater(kernel, op, operands, results, listener);
            return;
        }
        boolean isWatched = observer != null || listener != null;
        int weight = isWatched ? 1 : clock.weight(operands, results);
        if (weight > 0) {
            launch(kernel, op, operands, results, listener, weight);
        } else {
            kernel.run(op, operands, results);
            counters.kernels.add(1);
        }
    }

    /** @param weight how many kernels the time of this one stands for */
    private void launch(
            Kernel kernel, Op op, Array[] operands, Array[] results, KernelTimeListener listener, int weight) {
        long start = context.runtime().now();
        kernel.run(op, operands, results);
        long end = context.runtime().now();
        clock.measured(end - start);
        counters.engineNanos.add((end - start) * weight);
        ran(task, observer, listener, start, end);
        counters.kernels.add(1);
    }

    private static void ran(int task, RunObserver observer, KernelTimeListener listener, long start, long end) {
        if (observer != null) {
            observer.ran(task, start, end);
        }
        if (listener != null) {
            listener.ran(end - start);
        }
    }

    private void launchLater(Kernel kernel, Op op, Array[] operands, Array[] results, KernelTimeListener listener) {
        RunObserver runObserver = observer;
        int running = task;
        long estimate = estimate(running, running + 1);
        if (runObserver == null && listener == null) {
            device.begin();
            try {
                kernel.run(op, operands, results);
            } finally {
                device.end(1, estimate);
            }
            return;
        }
        Stamp start = device.beginTimed();
        boolean isDone = false;
        try {
            kernel.run(op, operands, results);
            isDone = true;
        } finally {
            boolean counts = isDone;
            device.end(1, estimate, start, (from, to) -> {
                if (counts) {
                    ran(running, runObserver, listener, from, to);
                }
            });
        }
    }

    /** How long tasks of the plan will run. Of what was never measured it is taken that the device is busy with it for long. */
    private long estimate(int firstTask, int endTask) {
        if (known == null) {
            return PlanTimes.UNKNOWN;
        }
        long latest = known.latest(firstTask, endTask);
        return latest == PlanTimes.UNKNOWN ? DeviceMeter.AHEAD.toNanos() : latest;
    }

    /** Runs the kernels of a unit as one; the answer is as that of {@link Engine#run}. */
    boolean run(LaunchGroup group, List<Launch> launches, KernelTimeListener listener) {
        if (device != null) {
            return launchLater(group, launches, listener);
        }
        long start = context.runtime().now();
        boolean isDone = context.engine().run(group, context.session(), launches);
        long end = context.runtime().now();
        counters.engineNanos.add(end - start);
        if (isDone) {
            ranAsOne(group, observer, listener, start, end);
            counters.kernels.add(launches.size());
        }
        return isDone;
    }

    private boolean launchLater(LaunchGroup group, List<Launch> launches, KernelTimeListener listener) {
        RunObserver runObserver = observer;
        Stamp start = device.beginTimed();
        boolean isDone = false;
        try {
            isDone = context.engine().run(group, context.session(), launches);
            return isDone;
        } finally {
            boolean counts = isDone;
            int kernels = isDone ? launches.size() : 0;
            device.end(kernels, isDone ? estimate(group.first(), group.end()) : 0, start, (from, to) -> {
                if (counts) {
                    ranAsOne(group, runObserver, listener, from, to);
                }
            });
        }
    }

    /** The answer is as that of {@link Engine#ready}. */
    Optional<PreparedLaunchGroup> ready(LaunchGroup group, List<Launch> launches) {
        return context.engine().ready(group, context.session(), launches);
    }

    /** Launches a unit with exchanges; the answer is done when it has run. */
    Completion run(LaunchGroup group, PreparedLaunchGroup ready, int kernels, KernelTimeListener listener) {
        RunObserver runObserver = observer;
        Stamp start = device.beginTimed();
        boolean isLaunched = false;
        try {
            Completion done = ready.launch();
            isLaunched = true;
            return done;
        } finally {
            boolean counts = isLaunched;
            device.end(
                    isLaunched ? kernels : 0,
                    isLaunched ? estimate(group.first(), group.end()) : 0,
                    start,
                    (from, to) -> {
                        if (counts) {
                            ranAsOne(group, runObserver, listener, from, to);
                        }
                    });
        }
    }

    private static void ranAsOne(
            LaunchGroup group, RunObserver observer, KernelTimeListener listener, long start, long end) {
        if (observer != null) {
            observer.ranAsOne(group.first(), group.end(), start, end);
        }
        if (listener != null) {
            listener.ran(end - start);
        }
    }
}
