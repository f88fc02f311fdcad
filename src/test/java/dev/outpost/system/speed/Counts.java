package dev.outpost.system.speed;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.PlanCache;
import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.plan.Task;
import java.util.List;

/**
 * The cost of a program, computed from the plans of its segments.
 *
 * @param instructions the number of sent instructions
 * @param kernels the number of launched kernels
 * @param bytesMoved the bytes that kernels read and write, each operand and each result once
 * @param buffers the number of buffers that are allocated for results; results in the memory of an operand are not counted
 * @param peakBytes the most bytes that are held at once
 */
record Counts(long instructions, long kernels, long bytesMoved, long buffers, long peakBytes) {

    static Counts of(List<Graph> graphs) throws InterruptedException {
        Counts sum = new Counts(0, 0, 0, 0, 0);
        for (Graph graph : graphs) {
            sum = sum.and(of(graph, plan(graph)));
        }
        return sum;
    }

    static Plan plan(Graph graph) throws InterruptedException {
        try (CpuEngine engine = new CpuEngine(1, 0)) {
            return new PlanCache(Planner.of(engine), 1, () -> {})
                    .plan(graph, () -> {})
                    .plan();
        }
    }

    private static Counts of(Graph graph, Plan plan) {
        long kernels = 0;
        long bytesMoved = 0;
        long buffers = 0;
        for (int task = 0; task < plan.tasks().size(); task++) {
            if (plan.tasks().get(task).kernel() != null) {
                kernels++;
                bytesMoved += bytesMoved(graph, plan.tasks().get(task));
                buffers += buffers(graph, plan, task);
            }
        }
        return new Counts(
                graph.instructions().size(),
                kernels,
                bytesMoved,
                buffers,
                plan.memory().peakBytes());
    }

    private static long bytesMoved(Graph graph, Task task) {
        Instruction first = graph.instructions().get(task.instructions()[0]);
        long bytes = 0;
        if (!task.isFused()) {
            for (int position = 0; position < first.operandCount(); position++) {
                bytes += first.operandType(position).bytes();
            }
        }
        for (Task.Operand operand : task.operands()) {
            bytes += graph.instructions()
                    .get(operand.instruction())
                    .operandType(operand.position())
                    .bytes();
        }
        for (int result : results(graph, task)) {
            bytes += graph.type(result).bytes();
        }
        return bytes;
    }

    private static long buffers(Graph graph, Plan plan, int task) {
        long buffers = 0;
        for (int result = 0; result < results(graph, plan.tasks().get(task)).length; result++) {
            boolean mayBeGiven = result == 0 || plan.tasks().get(task).isFused();
            buffers += mayBeGiven && plan.donor(task, result) != Plan.NO_DONOR ? 0 : 1;
        }
        return buffers;
    }

    private static int[] results(Graph graph, Task task) {
        if (task.isFused()) {
            return task.results();
        }
        Instruction instruction = graph.instructions().get(task.instructions()[0]);
        int[] results = new int[instruction.resultCount()];
        for (int position = 0; position < results.length; position++) {
            results[position] = instruction.result(position);
        }
        return results;
    }

    private Counts and(Counts other) {
        return new Counts(
                instructions + other.instructions,
                kernels + other.kernels,
                bytesMoved + other.bytesMoved,
                buffers + other.buffers,
                Math.max(peakBytes, other.peakBytes));
    }
}
