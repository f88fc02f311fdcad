package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Instruction;

/** The values of a program that is rewritten, by number, with their placements so far. Used by one thread. */
final class PlacedValues {
    private final ValuePlacements[] values;

    PlacedValues(int count) {
        this.values = new ValuePlacements[count];
    }

    ValuePlacements get(int value) {
        return values[value];
    }

    void put(int value, ValuePlacements valuePlacements) {
        values[value] = valuePlacements;
    }

    ValuePlacements operand(Instruction instruction, int position) {
        return values[instruction.operand(position)];
    }

    /** Returns the operands of an instruction; null for a number. */
    ValuePlacements[] operands(Instruction instruction) {
        ValuePlacements[] operands = new ValuePlacements[instruction.operandCount()];
        for (int position = 0; position < operands.length; position++) {
            int value = instruction.operand(position);
            operands[position] = value == Instruction.IMMEDIATE ? null : values[value];
        }
        return operands;
    }

    void define(Instruction instruction, int position, ShardedValue shardedValue) {
        values[instruction.result(position)] = new ValuePlacements(instruction.resultType(position), shardedValue);
    }
}
