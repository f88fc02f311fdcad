package dev.outpost.runtime.explain;

import dev.outpost.explain.ExplainedKernel;
import dev.outpost.explain.ExplainedMemory;
import dev.outpost.explain.ExplainedNode;
import dev.outpost.explain.ExplainedValue;
import dev.outpost.explain.Explanation;
import dev.outpost.explain.KernelTimes;
import dev.outpost.protocol.ir.Bindings;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.runtime.plan.MemoryPlan;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.Task;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Explains how one value of a segment, or each of its values, is computed. */
final class Explainer {
    private static final int MAX_OP_TEXT = 120;
    private static final int MAX_OPERANDS = 16;
    private static final int MAX_SOURCE = 200;

    private final Bindings bindings;
    private final Graph graph;
    private final Plan plan;
    private final PlanTimes times;
    private final ValueLives lives;
    private final String[] names;
    private int codeLeft = Explanation.MAX_ALL_CODE;

    /** @param times the times of the plan; null if it was never timed */
    Explainer(Bindings bindings, Graph graph, Plan plan, PlanTimes times) {
        this.bindings = bindings;
        this.graph = graph;
        this.plan = plan;
        this.times = times;
        this.lives = new ValueLives(graph, plan);
        this.names = ValueNames.of(bindings, graph);
    }

    /** @param maxNodes the maximum number of instructions in the explanation */
    Explanation explain(int target, int maxNodes) {
        return explain(names[target], leading(target), maxNodes);
    }

    /** @param maxNodes the maximum number of instructions in the explanation */
    Explanation explainAll(int maxNodes) {
        BitSet all = new BitSet();
        for (int index = 0; index < graph.instructions().size(); index++) {
            all.set(index, lives.taskOf(index) != ValueLives.NO_TASK);
        }
        return explain("", all, maxNodes);
    }

    private Explanation explain(String of, BitSet leading, int maxNodes) {
        int omitted = cut(leading, maxNodes);
        BitSet tasks = new BitSet();
        leading.stream().forEach(member -> tasks.set(lives.taskOf(member)));
        return new Explanation(
                of,
                values(leading),
                leading.stream().mapToObj(this::node).toList(),
                tasks.stream().mapToObj(this::kernel).toList(),
                memory(),
                new Explanation.SegmentSize(
                        graph.instructions().size(), plan.tasks().size(), times == null ? 1 : times.runs(), omitted));
    }

    private ExplainedMemory memory() {
        MemoryPlan memory = plan.memory();
        int peakAt = ExplainedValue.BEFORE;
        for (int task = plan.tasks().size() - 1; task >= 0; task--) {
            peakAt = memory.bytesDuring(task) == memory.peakBytes() ? task : peakAt;
        }
        return new ExplainedMemory(memory.inputBytes(), memory.peakBytes(), peakAt, memory.keptBytes());
    }

    /** Returns the indices of the instructions on which a value depends, without those that the planner removed. */
    private BitSet leading(int target) {
        BitSet needed = new BitSet();
        needed.set(plan.slot(target));
        BitSet leading = new BitSet();
        for (Instruction instruction : graph.instructions().reversed()) {
            if (lives.taskOf(instruction.index()) != ValueLives.NO_TASK && isNeeded(instruction, needed)) {
                leading.set(instruction.index());
                for (int position = 0; position < instruction.operandCount(); position++) {
                    if (instruction.operand(position) != Instruction.IMMEDIATE) {
                        needed.set(plan.slot(instruction.operand(position)));
                    }
                }
            }
        }
        return leading;
    }

    private static boolean isNeeded(Instruction instruction, BitSet needed) {
        int next = needed.nextSetBit(instruction.result(0));
        return next >= 0 && next < instruction.result(0) + instruction.resultCount();
    }

    /** Keeps the latest instructions. Returns the number of dropped ones. */
    private static int cut(BitSet leading, int max) {
        int omitted = Math.max(0, leading.cardinality() - max);
        int first = leading.nextSetBit(0);
        for (int dropped = 0; dropped < omitted; dropped++) {
            leading.clear(first);
            first = leading.nextSetBit(first);
        }
        return omitted;
    }

    // ---- values

    private List<ExplainedValue> values(BitSet leading) {
        BitSet named = new BitSet();
        leading.stream().mapToObj(graph.instructions()::get).forEach(instruction -> {
            named.set(instruction.result(0), instruction.result(0) + instruction.resultCount());
            for (int position = 0; position < shownOperands(instruction); position++) {
                if (instruction.operand(position) != Instruction.IMMEDIATE) {
                    named.set(plan.slot(instruction.operand(position)));
                }
            }
        });
        return named.stream()
                .mapToObj(value -> new ExplainedValue(
                        names[value],
                        graph.type(value),
                        lives.computedBy(value),
                        lives.lastUse(value),
                        lives.isStored(value)))
                .toList();
    }

    // ---- instructions and kernels

    private ExplainedNode node(int index) {
        Instruction instruction = graph.instructions().get(index);
        List<String> operands = new ArrayList<>();
        for (int position = 0; position < shownOperands(instruction); position++) {
            int operand = instruction.operand(position);
            operands.add(
                    operand == Instruction.IMMEDIATE
                            ? instruction.immediate(position).toString()
                            : names[plan.slot(operand)]);
        }
        if (shownOperands(instruction) < instruction.operandCount()) {
            operands.add("and " + (instruction.operandCount() - MAX_OPERANDS) + " more");
        }
        List<String> results = new ArrayList<>();
        for (int position = 0; position < instruction.resultCount(); position++) {
            results.add(names[instruction.result(position)]);
        }
        String source = graph.source(index);
        return new ExplainedNode(
                index,
                text(instruction.op()),
                operands,
                results,
                source.substring(0, Math.min(source.length(), MAX_SOURCE)));
    }

    /** Returns the number of the instruction's operands that the explanation shows. */
    private static int shownOperands(Instruction instruction) {
        return Math.min(instruction.operandCount(), MAX_OPERANDS);
    }

    /** Returns the op with its attributes, if they are short. */
    private static String text(Op op) {
        if (op instanceof Enum<?> || op instanceof PlacementOp) {
            return op.label();
        }
        String whole = op.toString();
        String attributes = whole.substring(whole.indexOf('[') + 1, whole.lastIndexOf(']'));
        return attributes.isEmpty() || attributes.length() > MAX_OP_TEXT
                ? op.label()
                : op.label() + "[" + attributes + "]";
    }

    private ExplainedKernel kernel(int place) {
        Task task = plan.tasks().get(place);
        List<Integer> members = Arrays.stream(task.instructions()).boxed().toList();
        return new ExplainedKernel(
                place,
                KernelNames.of(task, graph),
                members,
                code(task),
                times == null ? new KernelTimes(List.of()) : times.of(place));
    }

    private String code(Task task) {
        String listing = task.kernel() == null ? "" : task.kernel().listing();
        int length = Math.min(listing.length(), Math.min(codeLeft, Explanation.MAX_CODE));
        codeLeft -= length;
        return listing.substring(0, length);
    }
}
