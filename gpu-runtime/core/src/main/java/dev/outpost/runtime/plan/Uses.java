package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import java.util.ArrayList;
import java.util.List;

/** The instructions that use each value of a graph, each once, in the order of the program. */
final class Uses {
    private final List<List<Instruction>> byValue = new ArrayList<>();

    private Uses(int values) {
        for (int value = 0; value < values; value++) {
            byValue.add(new ArrayList<>(2));
        }
    }

    static Uses of(Graph graph) {
        Uses uses = new Uses(graph.valueCount());
        graph.instructions().forEach(uses::add);
        return uses;
    }

    private void add(Instruction instruction) {
        for (int position = 0; position < instruction.operandCount(); position++) {
            if (instruction.operand(position) != Instruction.IMMEDIATE) {
                List<Instruction> users = byValue.get(instruction.operand(position));
                if (users.isEmpty() || users.getLast() != instruction) {
                    users.add(instruction);
                }
            }
        }
    }

    List<Instruction> of(int value) {
        return byValue.get(value);
    }
}
