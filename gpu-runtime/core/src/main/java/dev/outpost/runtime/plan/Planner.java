package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.runtime.engine.FusedRows;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.plan.rewrite.Rewrite;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Plans a graph: removes unneeded instructions, fuses others, compiles kernels, and determines when each value dies.
 */
public final class Planner {
    /**
     * The minimum number of bytes to defer. Fewer bytes stay in the processor's caches, so storing them is faster
     * than computing them again.
     */
    private static final long MIN_DEFERRED = 64 << 10;

    private static final long NOTHING_DEFERRED = Long.MAX_VALUE;

    private final Engine engine;
    private final List<Rewrite> rewrites;
    private final boolean fuses;
    private final boolean isThrifty;
    private final boolean unites;
    /** The bytes that a group has to save for its values to be deferred. */
    private final long minDeferred;

    private Planner(
            Engine engine, List<Rewrite> rewrites, boolean fuses, boolean isThrifty, boolean unites, long minDeferred) {
        this.engine = engine;
        this.rewrites = rewrites;
        this.fuses = fuses;
        this.isThrifty = isThrifty;
        this.unites = unites;
        this.minDeferred = minDeferred;
    }

    /** Returns a planner with all optimizations that the engine supports. */
    public static Planner of(Engine engine) {
        return new Planner(engine, Rewrite.ALL, engine.fuses(), true, true, MIN_DEFERRED);
    }

    /** Returns a planner without rewrites. Each instruction has its own kernel, and each result has its own memory. */
    public static Planner plain(Engine engine) {
        return new Planner(engine, List.of(), false, false, false, NOTHING_DEFERRED);
    }

    /**
     * Returns a planner with some of the optimizations, to compare them.
     *
     * @param fuses true to fuse instructions if the engine can
     * @param isThrifty true if results may overwrite operands that die, and tasks may run in an order that holds less
     * memory
     */
    public static Planner with(Engine engine, List<Rewrite> rewrites, boolean fuses, boolean isThrifty) {
        return new Planner(engine, rewrites, fuses && engine.fuses(), isThrifty, false, NOTHING_DEFERRED);
    }

    /** Works like {@link #of}, but defers values even if that saves little memory. */
    public static Planner deferring(Engine engine) {
        return new Planner(engine, Rewrite.ALL, engine.fuses(), true, true, 0);
    }

    /** Works like {@link #plan(Graph, boolean, boolean)}, but stores all values that outlive the segment. */
    Plan plan(Graph recorded, boolean mayAssume) {
        return plan(recorded, mayAssume, false);
    }

    /**
     * Plans a graph and compiles its kernels. If the engine cannot compile a kernel, the kernel fails when it runs,
     * so only its results are poisoned.
     *
     * @param mayAssume true if the plan may depend on guards that the data of this graph satisfy
     * @param mayDefer true if values may outlive the segment without being stored
     */
    Plan plan(Graph recorded, boolean mayAssume, boolean mayDefer) {
        RewriteContext context = RewriteContext.of(recorded, rewrites, mayAssume);
        Graph graph = context.graph();
        boolean[] isKept = kept(graph, context.replacements());
        List<KernelBody> batches =
                fuses ? Fusion.of(graph, engine::fusesInRows, value -> isKept[value]) : Fusion.none(graph);
        boolean[] isUsedElsewhere = usedElsewhere(graph, batches);
        BitSet deferred = mayDefer && defers()
                ? LazyValue.of(graph, batches, value -> isKept[value], value -> isUsedElsewhere[value], minDeferred)
                : new BitSet();
        IntPredicate isStored = value -> (isKept[value] || isUsedElsewhere[value]) && !deferred.get(value);
        List<Task> tasks = new ArrayList<>(batches.size());
        for (KernelBody body : batches) {
            tasks.add(body.isSingle() ? single(body.instructions().getFirst()) : fused(body, isStored, deferred::get));
        }
        boolean complete = tasks.stream().noneMatch(task -> task.kernel() instanceof Uncompiled);
        Arrangement arrangement = isThrifty ? Arrangement.thrifty(context, tasks) : Arrangement.plain(context, tasks);
        boolean hasUnits = unites && complete;
        boolean mayExchange = engine.collectives().isPresent();
        return new Plan(
                context, hasUnits ? arrangement.united(context, engine::unites, mayExchange) : arrangement, complete);
    }

    /** Returns true if a plan that may defer values differs from one that may not. */
    boolean defers() {
        return minDeferred < NOTHING_DEFERRED && engine.keepsRematerializations();
    }

    /** Releases the engine's data for a plan that was removed from the cache. */
    void forget(Plan plan) {
        plan.groups().forEach(engine::forgetGroup);
    }

    private Task single(Instruction instruction) {
        boolean isPlaced = instruction.op() instanceof PlacementOp;
        return Task.single(instruction.index(), isPlaced ? null : compiled(() -> engine.compile(instruction)));
    }

    private Task fused(KernelBody body, IntPredicate isStored, IntPredicate isDeferred) {
        RowMatrix rowMatrix = body.rowMatrix();
        if (rowMatrix == null) {
            FusedMap map = new FusedMap(body.instructions(), isStored);
            return Task.fused(map, compiled(() -> engine.compile(map)), isDeferred);
        }
        FusedRows rows =
                new FusedRows(body.instructions(), isStored, (int) rowMatrix.rows(), (int) rowMatrix.columns());
        return Task.fused(rows.map(), compiled(() -> engine.compile(rows)), isDeferred);
    }

    /** Returns for each value whether it, or a value that it replaces, outlives the segment. */
    private static boolean[] kept(Graph graph, int[] replacements) {
        boolean[] isKept = new boolean[graph.valueCount()];
        int inputs = graph.structure().inputCount();
        for (int input = 0; input < inputs; input++) {
            isKept[input] = !graph.structure().isDying(input);
        }
        for (int result = 0; result < graph.structure().resultCount(); result++) {
            isKept[replacements[inputs + result]] |= graph.structure().isKept(result);
        }
        return isKept;
    }

    /** Returns for each value whether it is used outside of the group that computes it. */
    private static boolean[] usedElsewhere(Graph graph, List<KernelBody> batches) {
        int[] groupOf = new int[graph.valueCount()];
        Arrays.fill(groupOf, -1);
        for (int group = 0; group < batches.size(); group++) {
            for (Instruction instruction : batches.get(group).instructions()) {
                for (int position = 0; position < instruction.resultCount(); position++) {
                    groupOf[instruction.result(position)] = group;
                }
            }
        }
        boolean[] isUsed = new boolean[graph.valueCount()];
        for (Instruction instruction : graph.instructions()) {
            int user = groupOf[instruction.result(0)];
            for (int position = 0; position < instruction.operandCount(); position++) {
                int value = instruction.operand(position);
                if (value != Instruction.IMMEDIATE && groupOf[value] != user) {
                    isUsed[value] = true;
                }
            }
        }
        return isUsed;
    }

    private static Kernel compiled(Supplier<Kernel> compiler) {
        try {
            return compiler.get();
        } catch (OutpostException failure) {
            return new Uncompiled(failure);
        } catch (RuntimeException | Error failure) {
            return new Uncompiled(new IllegalStateException("could not be compiled: " + failure, failure));
        }
    }

    private record Uncompiled(RuntimeException problem) implements Kernel {
        @Override
        public void run(Op op, Array[] operands, Array[] results) {
            throw problem;
        }
    }
}
