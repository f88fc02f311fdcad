package dev.outpost.protocol.ir;

/**
 * The values of a session with which a graph is run. Callers do not change the arrays.
 *
 * @param inputs the ids of the input values, by input index
 * @param outputs the ids of the results that outlive the graph, in the order in which they are computed
 */
public record Bindings(long[] inputs, long[] outputs) {}
