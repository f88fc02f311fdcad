package dev.outpost.onnx.graph;

import java.util.List;

/** Infers the properties of a node's outputs from those of its inputs. Outputs beyond the returned list are unknown. */
@FunctionalInterface
interface ShapeRule {
    List<Inferred> infer(NodeView node);
}
