package dev.outpost.protocol.ir;

/**
 * Which values of a session a graph is run over. Callers do not change the arrays.
 *
 * @param inputs the ids of the values that go in, by input
 * @param outputs the ids of the results that outlive the graph, in the order in which they are computed
 */
public record Bindings(long[] inputs, long[] outputs) {}
