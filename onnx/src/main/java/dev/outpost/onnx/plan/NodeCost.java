package dev.outpost.onnx.plan;

/**
 * The cost of a node.
 *
 * @param operations number of multiplications and additions
 * @param bytes bytes that are read and written, weights included
 */
public record NodeCost(double operations, double bytes) {
    public NodeCost plus(NodeCost other) {
        return new NodeCost(operations + other.operations, bytes + other.bytes);
    }
}
