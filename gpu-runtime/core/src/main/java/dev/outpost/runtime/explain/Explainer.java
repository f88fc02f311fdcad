package dev.outpost.runtime.explain;

import dev.outpost.protocol.explain.ExplainedKernel;
import dev.outpost.protocol.explain.ExplainedNode;
import dev.outpost.protocol.explain.ExplainedValue;
import dev.outpost.protocol.explain.Explanation;
import dev.outpost.protocol.explain.KernelTimes;
import dev.outpost.protocol.explain.MemoryPlan;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Placement;
import dev.outpost.protocol.tape.Graph;
import dev.outpost.protocol.tape.Instruction;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.PlanMemory;
import dev.outpost.runtime.plan.Task;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Tells how one value of a segment is computed. */
final class Explainer {
    private static final int MAX_OP_TEXT = 120;
    private static final int MAX_OPERANDS = 16;
    private static final int MAX_SOURCE = 200;

    private final Segment segment;
    private final Graph graph;
    private final Plan plan;
    private final PlanTimes times;
    private final PlanMemory memory;
    private final String[] names;
    private final int[] taskOf;
    private int codeLeft = Explanation.MAX_ALL_CODE;

    /** @param times of the plan; null where none were taken */
    Explainer(Segment segment, Graph graph, Plan plan, PlanTimes times) {
        this.segment = segment;
        this.graph = graph;
        this.plan = plan;
        this.times = times;
        this.memory = PlanMemory.of(graph, plan);
        this.names = names();
        this.taskOf = new int[graph.instructions().size()];
        for (int place = 0; place < plan.tasks().size(); place++) {
            for (int member : plan.tasks().get(place).instructions()) {
                taskOf[member] = place;
            }
        }
    }

    /** @param mostNodes how many instructions are told at most */
    Explanation explain(int target, int mostNodes) {
        BitSet leading = leading(target);
        int omitted = cut(leading, mostNodes);
        BitSet tasks = new BitSet();
        leading.stream().forEach(member -> tasks.set(taskOf[member]));
        return new Explanation(
                names[target],
                values(leading),
                leading.stream().mapToObj(this::node).toList(),
                tasks.stream().mapToObj(this::kernel).toList(),
                new MemoryPlan(memory.inputBytes(), memory.peakBytes(), memory.peakAt(), memory.keptBytes()),
                new Explanation.SegmentSize(
                        graph.instructions().size(), plan.tasks().size(), times == null ? 1 : times.runs(), omitted));
    }

    /** The instructions that a value depends on, by their index. */
    private BitSet leading(int target) {
        BitSet needed = new BitSet();
        needed.set(target);
        BitSet leading = new BitSet();
        for (Instruction instruction : graph.instructions().reversed()) {
            if (isNeeded(instruction, needed)) {
                leading.set(instruction.index());
                for (int position = 0; position < instruction.operandCount(); position++) {
                    if (instruction.operand(position) != Instruction.IMMEDIATE) {
                        needed.set(instruction.operand(position));
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

    /** Leaves the latest ones, and says how many were dropped. */
    private static int cut(BitSet leading, int most) {
        int omitted = Math.max(0, leading.cardinality() - most);
        for (int dropped = 0; dropped < omitted; dropped++) {
            leading.clear(leading.nextSetBit(0));
        }
        return omitted;
    }

    // ---- values

    private String[] names() {
        String[] all = new String[graph.valueCount()];
        int inputs = graph.structure().inputCount();
        int output = 0;
        for (int value = 0; value < all.length; value++) {
            if (value < inputs) {
                all[value] = "%" + segment.inputs()[value];
            } else if (graph.structure().isKept(value - inputs)) {
                all[value] = "%" + segment.outputs()[output++];
            } else {
                all[value] = "v" + value;
            }
        }
        return all;
    }

    private List<ExplainedValue> values(BitSet leading) {
        BitSet named = new BitSet();
        leading.stream().mapToObj(graph.instructions()::get).forEach(instruction -> {
            named.set(instruction.result(0), instruction.result(0) + instruction.resultCount());
            for (int position = 0; position < told(instruction); position++) {
                if (instruction.operand(position) != Instruction.IMMEDIATE) {
                    named.set(instruction.operand(position));
                }
            }
        });
        int[] computedBy = computedBy();
        return named.stream()
                .mapToObj(value -> new ExplainedValue(
                        names[value],
                        graph.type(value),
                        computedBy[value],
                        memory.lastUse(value),
                        memory.storedBy(value) != PlanMemory.NEVER))
                .toList();
    }

    private int[] computedBy() {
        int[] computedBy = new int[graph.valueCount()];
        Arrays.fill(computedBy, ExplainedValue.BEFORE);
        for (Instruction instruction : graph.instructions()) {
            for (int position = 0; position < instruction.resultCount(); position++) {
                computedBy[instruction.result(position)] = taskOf[instruction.index()];
            }
        }
        return computedBy;
    }

    // ---- instructions and kernels

    private ExplainedNode node(int index) {
        Instruction instruction = graph.instructions().get(index);
        List<String> operands = new ArrayList<>();
        for (int position = 0; position < told(instruction); position++) {
            int operand = instruction.operand(position);
            operands.add(
                    operand == Instruction.IMMEDIATE
                            ? instruction.immediate(position).toString()
                            : names[operand]);
        }
        if (told(instruction) < instruction.operandCount()) {
            operands.add("and " + (instruction.operandCount() - MAX_OPERANDS) + " more");
        }
        List<String> results = new ArrayList<>();
        for (int position = 0; position < instruction.resultCount(); position++) {
            results.add(names[instruction.result(position)]);
        }
        String source = segment.source(index);
        return new ExplainedNode(
                index,
                text(instruction.op()),
                operands,
                results,
                source.substring(0, Math.min(source.length(), MAX_SOURCE)));
    }

    /** How many of its operands are told. */
    private static int told(Instruction instruction) {
        return Math.min(instruction.operandCount(), MAX_OPERANDS);
    }

    /** With its attributes, where they are few. */
    private static String text(Op op) {
        if (op instanceof Enum<?> || op instanceof Placement) {
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
