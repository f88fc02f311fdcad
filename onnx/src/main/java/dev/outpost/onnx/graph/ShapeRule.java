package dev.outpost.onnx.graph;

import java.util.List;

/** From what is known of a node's inputs to what is known of its outputs; those behind the last are not known. */
@FunctionalInterface
interface ShapeRule {
    List<Inferred> infer(NodeView node);
}
