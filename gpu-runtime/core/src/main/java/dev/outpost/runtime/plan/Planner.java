package dev.outpost.runtime.plan;

import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Placement;
import dev.outpost.protocol.tape.Graph;
import dev.outpost.protocol.tape.Instruction;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** From a graph to its plan: what is computed together, the code of it, and when each value dies. */
public final class Planner {
    private final Engine engine;
    private final boolean fuses;

    private Planner(Engine engine, boolean fuses) {
        this.engine = engine;
        this.fuses = fuses;
    }

    /** With all that the engine has code for. */
    public static Planner of(Engine engine) {
        return new Planner(engine, engine.fuses());
    }

    /** One kernel an instruction. */
    public static Planner plain(Engine engine) {
        return new Planner(engine, false);
    }

    /** Compiles a graph. What an engine cannot compile fails when it is run, so that it poisons only its results. */
    Plan plan(Graph graph) {
        List<List<Instruction>> groups = fuses ? Fusion.of(graph) : Fusion.none(graph);
        boolean[] isStored = stored(graph, groups);
        List<Task> tasks = new ArrayList<>(groups.size());
        for (List<Instruction> group : groups) {
            tasks.add(
                    group.size() == 1
                            ? single(group.getFirst())
                            : fused(new FusedMap(group, value -> isStored[value])));
        }
        boolean complete = tasks.stream().noneMatch(task -> task.kernel() instanceof Uncompiled);
        return new Plan(tasks, Liveness.of(graph, tasks), complete);
    }

    private Task single(Instruction instruction) {
        boolean isPlaced = instruction.op() instanceof Placement;
        return Task.single(instruction.index(), isPlaced ? null : compiled(() -> engine.compile(instruction)));
    }

    private Task fused(FusedMap map) {
        return Task.fused(map, compiled(() -> engine.compile(map)));
    }

    /** For each value, whether it outlives the segment or is used outside of the group that computes it. */
    private static boolean[] stored(Graph graph, List<List<Instruction>> groups) {
        int[] groupOf = new int[graph.valueCount()];
        Arrays.fill(groupOf, -1);
        for (int group = 0; group < groups.size(); group++) {
            for (Instruction instruction : groups.get(group)) {
                for (int position = 0; position < instruction.resultCount(); position++) {
                    groupOf[instruction.result(position)] = group;
                }
            }
        }
        boolean[] isStored = new boolean[graph.valueCount()];
        int inputs = graph.structure().inputCount();
        for (int result = 0; result < graph.structure().resultCount(); result++) {
            isStored[inputs + result] = graph.structure().isKept(result);
        }
        for (Instruction instruction : graph.instructions()) {
            int user = groupOf[instruction.result(0)];
            for (int position = 0; position < instruction.operandCount(); position++) {
                int value = instruction.operand(position);
                if (value != Instruction.IMMEDIATE && groupOf[value] != user) {
                    isStored[value] = true;
                }
            }
        }
        return isStored;
    }

    private static Kernel compiled(Supplier<Kernel> compiler) {
        try {
            return compiler.get();
        } catch (OutpostException refused) {
            return new Uncompiled(refused);
        } catch (RuntimeException | Error defect) {
            return new Uncompiled(new IllegalStateException("could not be compiled: " + defect, defect));
        }
    }

    private record Uncompiled(RuntimeException problem) implements Kernel {
        @Override
        public void run(Op op, Array[] operands, Array[] results) {
            throw problem;
        }
    }
}
