package dev.outpost.client.group;

import dev.outpost.client.sharding.MemberProgram;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.ir.RecordedGraph;
import java.util.HashMap;
import java.util.Map;

/** A member's part of a segment, in the form in which it is sent. */
final class MemberSegment {
    private final Graph graph;
    private final int inputCount;
    /** For each value of the member's graph that outlives the segment, its id. */
    private final Map<Integer, Long> names = new HashMap<>();

    private final RecordedGraph recorded = new RecordedGraph();

    private MemberSegment(Graph graph) {
        this.graph = graph;
        this.inputCount = graph.structure().inputCount();
    }

    /**
     * Writes a member's part.
     *
     * @param inputs the ids of the inputs of the whole segment
     * @param outputs the ids of its outputs
     * @param rebound for each input that gets another placement, the id of the new value
     */
    static RecordedGraph write(MemberProgram program, long[] inputs, long[] outputs, long[] rebound) {
        MemberSegment segment = new MemberSegment(program.graph());
        segment.name(program.outputs(), outputs);
        segment.name(program.rebound(), rebound);
        segment.writeInputs(program.inputs(), inputs);
        program.graph().instructions().forEach(segment::write);
        return segment.recorded;
    }

    private void name(int[] values, long[] ids) {
        for (int index = 0; index < values.length; index++) {
            if (values[index] != MemberProgram.NONE && names.put(values[index], ids[index]) != null) {
                throw new IllegalStateException("a value of a member has two names");
            }
        }
    }

    private void writeInputs(int[] locals, long[] ids) {
        for (int input = 0; input < locals.length; input++) {
            if (locals[input] != MemberProgram.NONE) {
                int index = recorded.addInput(ids[input]);
                if (graph.structure().isDying(locals[input])) {
                    recorded.dropInput(index);
                }
            }
        }
    }

    private void write(Instruction instruction) {
        for (int position = 0; position < instruction.operandCount(); position++) {
            int value = instruction.operand(position);
            if (value == Instruction.IMMEDIATE) {
                recorded.immediate(instruction.immediate(position));
            } else if (value < inputCount) {
                recorded.input(value);
            } else {
                recorded.result(value - inputCount);
            }
        }
        int first = recorded.finish(instruction.op(), firstName(instruction), instruction.resultCount());
        for (int position = 0; position < instruction.resultCount(); position++) {
            if (!names.containsKey(instruction.result(position))) {
                recorded.drop(first + position);
            }
        }
        String line = graph.source(instruction.index());
        if (!line.isEmpty()) {
            recorded.source(line);
        }
    }

    /** Returns the id of the first result. The ids of an instruction's results are consecutive. */
    private long firstName(Instruction instruction) {
        long first = 0;
        boolean isNamed = false;
        for (int position = 0; position < instruction.resultCount(); position++) {
            Long name = names.get(instruction.result(position));
            if (name != null && isNamed && name - position != first) {
                throw new IllegalStateException(
                        "results of " + instruction + " have names that do not follow each other");
            }
            if (name != null) {
                first = name - position;
                isNamed = true;
            }
        }
        return first;
    }
}
