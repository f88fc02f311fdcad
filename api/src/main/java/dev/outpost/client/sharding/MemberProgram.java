package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Graph;

/**
 * The part of a program that one member runs. Values of the whole program are identified by their index among its inputs or outputs.
 *
 * @param graph the member's graph
 * @param inputs for each input of the whole program the member's input, or {@link #NONE}
 * @param outputs for each output the value of the member's graph, or {@link #NONE}
 * @param rebound for each input the value that replaces it, or {@link #NONE} if it stays
 */
public record MemberProgram(Graph graph, int[] inputs, int[] outputs, int[] rebound) {
    /** The member has no part of the value. */
    public static final int NONE = -1;
}
