package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Graph;

/**
 * The part of a program that one member runs. Values of the whole program are told by their place among its inputs or
 * outputs.
 *
 * @param graph of the member
 * @param inputs for each input of the whole program the member's, or {@link #NONE}
 * @param outputs for each output the value of the member's graph, or {@link #NONE}
 * @param rebound for each input what takes its place from then on, or {@link #NONE} where it stays as it is
 */
public record MemberProgram(Graph graph, int[] inputs, int[] outputs, int[] rebound) {
    /** The member has nothing of it. */
    public static final int NONE = -1;
}
