package dev.outpost.runtime.plan;

import dev.outpost.channel.DebugLog;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Structure;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The plans of a runtime by structure and input types, shared by all its sessions. The least recently used plan is
 * evicted first.
 */
public final class PlanCache {

    /**
     * The answer of the cache.
     *
     * @param plan the plan
     * @param made true if it was made for this request
     */
    public record Answer(Plan plan, boolean made) {}

    /**
     * The key of a plan. A structure can have one plan for data that satisfy the guards of its first run, and another
     * plan for all data.
     */
    private record Key(Structure structure, List<TensorType> inputs, boolean mayAssume, boolean mayDefer) {
        static Key of(Graph graph, boolean mayAssume, boolean mayDefer) {
            Structure structure = graph.structure();
            List<TensorType> inputs = new ArrayList<>(structure.inputCount());
            for (int input = 0; input < structure.inputCount(); input++) {
                inputs.add(graph.type(input));
            }
            return new Key(structure, inputs, mayAssume, mayDefer);
        }

        /** Returns the approximate size of the plan: it has at most one kernel for each instruction. */
        int instructions() {
            return structure.instructionCount();
        }
    }

    /**
     * The maximum number of instructions of all plans together, so that a few hundred huge plans do not fill the
     * memory.
     */
    private static final long MAX_INSTRUCTIONS = 1 << 19;

    private final Planner planner;
    private final int maxPlans;
    private final long maxInstructions;
    private final Runnable onEviction;
    private final AtomicLong plansMade = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private long instructions;
    private final LinkedHashMap<Key, FutureTask<Plan>> plans = new LinkedHashMap<>(16, 0.75f, true);

    /** @param onEviction called for each plan that is evicted for another; must not block */
    public PlanCache(Planner planner, int maxPlans, Runnable onEviction) {
        this(planner, maxPlans, MAX_INSTRUCTIONS, onEviction);
    }

    PlanCache(Planner planner, int maxPlans, long maxInstructions, Runnable onEviction) {
        this.planner = planner;
        this.maxPlans = maxPlans;
        this.maxInstructions = maxInstructions;
        this.onEviction = onEviction;
    }

    /**
     * Works like {@link #plan(Graph, boolean, Runnable)}, with a plan that stores all values that outlive the
     * segment.
     */
    public Answer plan(Graph graph, Runnable beforeWaiting) throws InterruptedException {
        return plan(graph, false, beforeWaiting);
    }

    /**
     * Returns the plan of a graph's structure. The first caller compiles it. Concurrent callers wait for that.
     *
     * @param mayDefer true if values may outlive the segment without being stored
     * @param beforeWaiting called if the plan is not ready yet
     */
    public Answer plan(Graph graph, boolean mayDefer, Runnable beforeWaiting) throws InterruptedException {
        boolean defers = mayDefer && planner.defers();
        Answer assuming = plan(graph, true, defers, beforeWaiting);
        return assuming.plan().fits(graph) ? assuming : plan(graph, false, defers, beforeWaiting);
    }

    private Answer plan(Graph graph, boolean mayAssume, boolean mayDefer, Runnable beforeWaiting)
            throws InterruptedException {
        Key key = Key.of(graph, mayAssume, mayDefer);
        FutureTask<Plan> mine = new FutureTask<>(() -> make(graph, mayAssume, mayDefer));
        FutureTask<Plan> task = claim(key, mine);
        if (!task.isDone()) {
            beforeWaiting.run();
        }
        if (task == mine) {
            task.run();
        }
        return new Answer(join(key, task), task == mine);
    }

    /** Returns the number of plans made so far. */
    public long plansMade() {
        return plansMade.get();
    }

    /** Returns the number of plans that are held now. */
    public int size() {
        lock.lock();
        try {
            return plans.size();
        } finally {
            lock.unlock();
        }
    }

    private Plan make(Graph graph, boolean mayAssume, boolean mayDefer) {
        long number = plansMade.incrementAndGet();
        long begin = System.nanoTime();
        Plan plan = planner.plan(graph, mayAssume, mayDefer);
        DebugLog.PLANNER.print(
                "plan %d: %d instructions become %d launches, made in %.1f ms",
                number, graph.instructions().size(), plan.tasks().size(), (System.nanoTime() - begin) / 1e6);
        return plan;
    }

    private FutureTask<Plan> claim(Key key, FutureTask<Plan> mine) {
        lock.lock();
        try {
            FutureTask<Plan> earlier = plans.get(key);
            if (earlier != null) {
                return earlier;
            }
            plans.put(key, mine);
            instructions += key.instructions();
            while (plans.size() > maxPlans || instructions > maxInstructions && plans.size() > 1) {
                Map.Entry<Key, FutureTask<Plan>> eldest = plans.pollFirstEntry();
                instructions -= eldest.getKey().instructions();
                if (eldest.getValue().state() == Future.State.SUCCESS) {
                    planner.forget(eldest.getValue().resultNow());
                }
                onEviction.run();
            }
            return mine;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a plan. An incomplete plan is removed, so that the next caller compiles again, because the device may have been short of
     * memory.
     */
    private Plan join(Key key, FutureTask<Plan> task) throws InterruptedException {
        try {
            Plan plan = task.get();
            if (!plan.isComplete()) {
                forget(key, task);
            }
            return plan;
        } catch (ExecutionException failure) {
            forget(key, task);
            throw new IllegalStateException("a plan could not be made", failure.getCause());
        }
    }

    private void forget(Key key, FutureTask<Plan> task) {
        lock.lock();
        try {
            if (plans.remove(key, task)) {
                instructions -= key.instructions();
            }
        } finally {
            lock.unlock();
        }
    }
}
