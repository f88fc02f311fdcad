package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Instruction;

/** The values of a program that is rewritten, by number, with how they are placed so far. Used by one thread. */
final class PlacedValues {
    private final Versions[] values;

    PlacedValues(int count) {
        this.values = new Versions[count];
    }

    Versions get(int value) {
        return values[value];
    }

    void put(int value, Versions versions) {
        values[value] = versions;
    }

    Versions operand(Instruction instruction, int position) {
        return values[instruction.operand(position)];
    }

    /** Null where an operand is a number. */
    Versions[] operands(Instruction instruction) {
        Versions[] operands = new Versions[instruction.operandCount()];
        for (int position = 0; position < operands.length; position++) {
            int value = instruction.operand(position);
            operands[position] = value == Instruction.IMMEDIATE ? null : values[value];
        }
        return operands;
    }

    /** An instruction's result. */
    void define(Instruction instruction, int position, Version version) {
        values[instruction.result(position)] = new Versions(instruction.resultType(position), version);
    }
}
