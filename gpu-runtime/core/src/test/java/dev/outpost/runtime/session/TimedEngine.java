package dev.outpost.runtime.session;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.engine.Kernel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** An engine whose kernels take a stated time by the test's clock, and which keeps a record of what ran. */
class TimedEngine extends EngineOnTop {
    private final AtomicLong clock;
    private final Map<Op, Duration> costs = new ConcurrentHashMap<>();
    private final Map<Op, Runnable> hooks = new ConcurrentHashMap<>();
    private final Map<Op, Runnable> compilers = new ConcurrentHashMap<>();
    private final List<Op> ran = new CopyOnWriteArrayList<>();

    TimedEngine(AtomicLong clock) {
        this.clock = clock;
    }

    /** An op without a cost takes no time and is not recorded. */
    void cost(Op op, Duration cost) {
        costs.put(op, cost);
    }

    /** Sets a hook that is called in each kernel of the op. */
    void during(Op op, Runnable hook) {
        hooks.put(op, hook);
    }

    void whileCompiling(Op op, Runnable hook) {
        compilers.put(op, hook);
    }

    /** The ops with a cost, in the order in which they ran. */
    List<Op> ran() {
        return List.copyOf(ran);
    }

    @Override
    public Kernel compile(Instruction instruction) {
        compilers.getOrDefault(instruction.op(), () -> {}).run();
        Kernel kernel = super.compile(instruction);
        return (op, operands, results) -> {
            hooks.getOrDefault(op, () -> {}).run();
            pass(op);
            kernel.run(op, operands, results);
        };
    }

    private void pass(Op op) {
        Duration cost = costs.get(op);
        if (cost != null) {
            ran.add(op);
            clock.addAndGet(cost.toNanos());
        }
    }
}
