package dev.outpost.onnx.graph;

import dev.outpost.onnx.proto.TensorProto;
import java.util.List;
import java.util.Map;

/**
 * Consecutive nodes of a graph as a separate model.
 *
 * @param first the first node
 * @param end the node after the last one
 * @param model a serialized {@code ModelProto} without its large weights
 * @param weights the large weights, by name
 * @param inputs values from outside of the stage, in the model's order
 * @param outputs values for outside of the stage, in the model's order
 */
public record Stage(
        int first,
        int end,
        byte[] model,
        Map<String, TensorProto> weights,
        List<String> inputs,
        List<String> outputs) {}
