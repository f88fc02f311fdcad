package dev.outpost.runtime.session;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.Fence;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A device with one queue: a separate thread runs kernels, copies and fences in order when the test allows it. It uses the test's clock,
 * so a kernel takes its stated cost.
 */
class LateEngine extends TimedEngine {
    private record Step(Completion completion, Runnable work) {}

    private final AtomicLong clock;
    private final LinkedBlockingQueue<Step> queue = new LinkedBlockingQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicInteger launched = new AtomicInteger();
    private final AtomicInteger ahead = new AtomicInteger();
    private final AtomicInteger mostAhead = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger queued = new AtomicInteger();
    private final Thread device;
    private boolean isHeld;
    private volatile RuntimeException broken;

    LateEngine(AtomicLong clock) {
        super(clock);
        this.clock = clock;
        this.device = Thread.ofPlatform().name("late-device").daemon().start(this::work);
    }

    // ---- calls of the test

    /** Stops the device. */
    void hold() {
        lock.lock();
        try {
            isHeld = true;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the device continue in order. */
    void release() {
        lock.lock();
        try {
            isHeld = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Makes all later work fail, including that in the queue. */
    void breakWith(RuntimeException reason) {
        broken = reason;
    }

    /** The number of kernels that were launched so far. */
    int launched() {
        return launched.get();
    }

    /** The maximum number of kernels in the queue. */
    int mostAhead() {
        return mostAhead.get();
    }

    /** The length of the queue. */
    int queued() {
        return queued.get();
    }

    /** The number of threads that wait for the device. */
    int waiting() {
        return waiting.get();
    }

    // ---- the device

    private void work() {
        try {
            while (true) {
                Step next = queue.take();
                awaitRelease();
                run(next);
                queued.decrementAndGet();
            }
        } catch (InterruptedException interrupted) {
            // The test is over.
        }
    }

    private void run(Step step) {
        try {
            if (broken != null) {
                throw broken;
            }
            step.work.run();
        } catch (RuntimeException problem) {
            step.completion.fail(problem);
            return;
        }
        // A fence has completed itself already, with the time.
        step.completion.complete();
    }

    private void awaitRelease() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (isHeld) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private Completion later(Runnable work) {
        Completion completion = new Completion();
        add(new Step(completion, work));
        return completion;
    }

    private void add(Step step) {
        queued.incrementAndGet();
        queue.add(step);
    }

    private void await(Completion completion) {
        waiting.incrementAndGet();
        boolean isInterrupted = false;
        while (!completion.isDone()) {
            try {
                completion.await();
            } catch (InterruptedException interrupted) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        waiting.decrementAndGet();
        completion.failure().ifPresent(problem -> {
            throw (RuntimeException) problem;
        });
    }

    // ---- the engine

    @Override
    public boolean isAsynchronous() {
        return true;
    }

    @Override
    public int concurrentSlices() {
        return 1;
    }

    @Override
    public Fence fence() {
        if (broken != null) {
            throw broken;
        }
        Fence fence = new Fence();
        add(new Step(fence, () -> fence.reach(clock.get())));
        return fence;
    }

    @Override
    public Kernel compile(Instruction instruction) {
        Kernel kernel = super.compile(instruction);
        boolean mayRefuse = mayRefuse(instruction);
        return (op, operands, results) -> {
            launched.incrementAndGet();
            mostAhead.accumulateAndGet(ahead.incrementAndGet(), Math::max);
            Array[] with = operands.clone();
            Array[] to = results.clone();
            Completion ran = later(() -> {
                ahead.decrementAndGet();
                kernel.run(op, with, to);
            });
            if (mayRefuse) {
                await(ran);
            }
        };
    }

    private static boolean mayRefuse(Instruction instruction) {
        return switch (instruction.op()) {
            case Gather _, Scatter _, IndexSelect _, IndexWrite _, IndexCheck _, Nonzero _ -> true;
            default -> !instruction.resultType(0).dtype().isFloating();
        };
    }

    @Override
    public void write(EngineBuffer target, long offset, Bytes source) {
        writeLater(target, offset, source);
    }

    @Override
    public Completion writeLater(EngineBuffer target, long offset, Bytes source) {
        Bytes copy = new Slice(source.toByteArray());
        return later(() -> super.write(target, offset, copy));
    }

    @Override
    public void read(Array source, long first, int count, byte[] target, int at) {
        await(readLater(source, first, count, target, at));
    }

    @Override
    public Completion readLater(Array source, long first, int count, byte[] target, int at) {
        return later(() -> super.read(source, first, count, target, at));
    }

    @Override
    public void close() {
        device.interrupt();
        super.close();
    }
}
