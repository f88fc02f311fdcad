package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Instruction;
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
import dev.outpost.runtime.session.schedule.TimeSlice;
import dev.outpost.runtime.session.stats.DeviceMeter;
import dev.outpost.runtime.session.stats.SessionCounters;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Launches the kernels of a session in its time slice of the engine. It times them and reports them to the observer of
 * the current run. On a synchronous engine a launch returns when the kernel has run. Used by the worker thread alone.
 */
public final class KernelLauncher {
    private final SessionContext context;
    private final SessionCounters counters;
    private final TimeSlice slice;
    /** Measures the device's time; null if the engine is synchronous. */
    private final DeviceMeter device;

    private final BooleanSupplier stopped;
    private final SegmentTime time;
    private final ScalarConstants constants;
    private final KernelClock clock = new KernelClock();
    private RunObserver observer = RunObserver.NONE;
    /** The previous times of the current plan's tasks; null if the tasks are not timed. */
    private PlanTimes known;
    /** The index of the current task in its plan. */
    private int task;

    /** @param stopped called between instructions; returns true if the session has ended */
    public KernelLauncher(SessionContext context, BooleanSupplier stopped) {
        this.context = context;
        this.counters = context.counters();
        this.slice = context.slice();
        this.device = context.device();
        this.stopped = stopped;
        this.time = new SegmentTime(context);
        this.constants = new ScalarConstants(context.engine());
    }

    // ---- the current run

    /**
     * Begins a run: later launches belong to it.
     *
     * @param newKnown previous times of the tasks of its plan; null if they are not timed
     */
    void beginRun(RunObserver newObserver, PlanTimes newKnown) {
        observer = newObserver;
        known = newKnown;
    }

    /** Begins a task of the plan: later launches belong to it. */
    void beginTask(int newTask) {
        task = newTask;
    }

    /** Returns the observer of the current run. */
    RunObserver observer() {
        return observer;
    }

    /** Returns how long the kernels of the segment have run. */
    SegmentTime time() {
        return time;
    }

    /** Returns the table that stores immediate numbers of instructions as arrays for kernels. */
    ScalarConstants constants() {
        return constants;
    }

    // ---- time slices

    /**
     * Stops if the session has ended, waits while the session is too far ahead of the device, and lets other sessions
     * run. Called between instructions.
     */
    void pause() throws InterruptedException {
        if (stopped.getAsBoolean()) {
            throw new InterruptedException("the session has ended");
        }
        if (device != null) {
            device.awaitRoom();
        }
        slice.giveWay();
    }

    /** Waits for the session's time slice. Called before an instruction that computes something. */
    public void awaitTurn() throws InterruptedException {
        slice.take();
    }

    /** Returns a completion that is done when all previous launches have run. */
    public Completion fence() {
        return device == null ? Completion.DONE : device.fence();
    }

    // ---- launches

    /**
     * Launches the kernel of the task.
     *
     * @param alone the only instruction of the task that the kernel computes; null if it computes all of them
     */
    void launch(Kernel kernel, Op op, Array[] operands, Array[] results, Instruction alone) {
        if (device == null) {
            measure(kernel, op, operands, results, alone, 1);
        } else {
            enqueue(kernel, op, operands, results, alone);
        }
    }

    /**
     * Launches the kernel of one instruction. If no observer needs the kernel's time, the time may be estimated from
     * other kernels.
     */
    void launch(Kernel kernel, Instruction instruction, Array[] operands, Array[] results) {
        if (device != null) {
            enqueue(kernel, instruction.op(), operands, results, instruction);
            return;
        }
        int weight = observer.isNeeded() ? 1 : clock.weight(operands, results);
        if (weight > 0) {
            measure(kernel, instruction.op(), operands, results, instruction, weight);
        } else {
            kernel.run(instruction.op(), operands, results);
            counters.kernels.add(1);
        }
    }

    /** @param weight the number of kernels, including this one, for which this kernel's time is counted */
    private void measure(Kernel kernel, Op op, Array[] operands, Array[] results, Instruction alone, int weight) {
        long start = now();
        kernel.run(op, operands, results);
        long end = now();
        clock.measured(end - start);
        counters.engineNanos.add((end - start) * weight);
        observer.ran(task, task + 1, alone, start, end);
        counters.kernels.add(1);
    }

    private void enqueue(Kernel kernel, Op op, Array[] operands, Array[] results, Instruction alone) {
        Stamp start = beginLaunch();
        int launched = 0;
        try {
            kernel.run(op, operands, results);
            launched = 1;
        } finally {
            endLaunch(start, task, task + 1, alone, launched);
        }
    }

    /** Launches the kernels of a group as one. Returns the result of {@link Engine#run}. */
    boolean launch(LaunchGroup group, List<Launch> launches) {
        return device == null ? measure(group, launches) : enqueue(group, launches);
    }

    private boolean measure(LaunchGroup group, List<Launch> launches) {
        long start = now();
        boolean isDone = context.engine().run(group, context.session(), launches);
        long end = now();
        counters.engineNanos.add(end - start);
        if (isDone) {
            observer.ran(group.first(), group.end(), null, start, end);
            counters.kernels.add(launches.size());
        }
        return isDone;
    }

    private boolean enqueue(LaunchGroup group, List<Launch> launches) {
        Stamp start = beginLaunch();
        boolean isDone = false;
        try {
            isDone = context.engine().run(group, context.session(), launches);
            return isDone;
        } finally {
            endLaunch(start, group.first(), group.end(), null, isDone ? launches.size() : 0);
        }
    }

    /** Prepares a group with exchanges. Returns the result of {@link Engine#ready}. */
    Optional<PreparedLaunchGroup> ready(LaunchGroup group, List<Launch> launches) {
        return context.engine().ready(group, context.session(), launches);
    }

    /** Launches a group with exchanges. The returned completion is done when it has run. */
    Completion launch(LaunchGroup group, PreparedLaunchGroup ready, int kernels) {
        Stamp start = beginLaunch();
        int launched = 0;
        try {
            Completion done = ready.launch();
            launched = kernels;
            return done;
        } finally {
            endLaunch(start, group.first(), group.end(), null, launched);
        }
    }

    /** Begins a launch on an asynchronous engine. Returns its stamp; null if no observer needs its time. */
    private Stamp beginLaunch() {
        if (observer.isNeeded()) {
            return device.beginTimed();
        }
        device.begin();
        return null;
    }

    /** @param kernels the number of kernels launched; 0 if the engine refused or threw */
    private void endLaunch(Stamp start, int firstTask, int endTask, Instruction alone, int kernels) {
        long estimate = kernels == 0 ? 0 : estimate(firstTask, endTask);
        if (kernels == 0 || start == null) {
            device.end(kernels, estimate);
        } else {
            RunObserver told = observer;
            device.end(kernels, estimate, start, (from, to) -> told.ran(firstTask, endTask, alone, from, to));
        }
    }

    /**
     * Returns the expected nanoseconds of tasks of the plan. For a task that was never timed, assumes that it keeps
     * the device busy for long.
     */
    private long estimate(int firstTask, int endTask) {
        if (known == null) {
            return PlanTimes.UNKNOWN;
        }
        long latest = known.latest(firstTask, endTask);
        return latest == PlanTimes.UNKNOWN ? DeviceMeter.AHEAD.toNanos() : latest;
    }

    /** Opens or runs a model by another library. The caller owns the results. */
    Value.Present[] runModel(Instruction instruction, Value.Present[] operands) {
        long start = now();
        try {
            Value.Present[] results =
                    context.models().run(instruction.op(), operands, () -> stopped.getAsBoolean() || time.isOver());
            observer.ranAlone(instruction, now() - start);
            return results;
        } finally {
            counters.engineNanos.add(now() - start);
            counters.kernels.add(1);
        }
    }

    private long now() {
        return context.runtime().now();
    }
}
