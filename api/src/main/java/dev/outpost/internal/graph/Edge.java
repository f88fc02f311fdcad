package dev.outpost.internal.graph;

/**
 * Where a gradient goes: to an output of the node that computed a value.
 *
 * @param node the node
 * @param output which of its outputs the value was
 */
public record Edge(Node node, int output) {}
