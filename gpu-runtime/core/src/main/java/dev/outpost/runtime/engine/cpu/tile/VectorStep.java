package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.runtime.engine.cpu.chain.Chain;
import dev.outpost.runtime.engine.cpu.chain.VectorSteps;
import java.util.Locale;

/**
 * An operation on registers, which can be a step of a {@link Chain}. Its code is the method of the same name in
 * {@link VectorSteps}. A bool is 1 or 0.
 */
public enum VectorStep {
    ADD(2, 1),
    SUB(2, 1),
    MUL(2, 1),
    DIV(2, 2),
    MAXIMUM(2, 5),
    MINIMUM(2, 5),
    EQ(2, 2),
    NE(2, 2),
    LT(2, 2),
    LE(2, 2),
    GT(2, 2),
    GE(2, 2),
    NEG(1, 1),
    ABS(1, 1),
    SQRT(1, 2),
    RELU(1, 3),
    COPY(1, 0),
    NOT(1, 1),
    EXP(1, 20),
    EXP_OF_NEGATIVE(1, 16),
    TANH(1, 20),
    SIGMOID_EXPONENT(1, 2),
    SIGMOID(2, 6),
    ERF_EXPONENT(1, 9),
    ERF(2, 12),
    CHOOSE(3, 2);

    private final int operands;
    private final int weight;

    VectorStep(int operands, int weight) {
        this.operands = operands;
        this.weight = weight;
    }

    public int operands() {
        return operands;
    }

    /** Returns the approximate number of the step's instructions. */
    public int weight() {
        return weight;
    }

    /** Returns the name of the step in listings. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns the name of the method with the step's code. */
    public String method() {
        String[] words = label().split(" ");
        StringBuilder method = new StringBuilder(words[0]);
        for (int word = 1; word < words.length; word++) {
            method.append(Character.toUpperCase(words[word].charAt(0))).append(words[word].substring(1));
        }
        return method.toString();
    }
}
