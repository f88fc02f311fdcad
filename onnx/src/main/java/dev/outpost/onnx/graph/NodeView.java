package dev.outpost.onnx.graph;

import dev.outpost.onnx.proto.AttributeProto;
import dev.outpost.onnx.proto.NodeProto;
import dev.outpost.onnx.proto.TensorProto;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Optional;

/**
 * A node with the known properties of its inputs, for use by rules. Throws {@link Unknown} if a rule needs an unknown
 * property.
 */
final class NodeView {
    /** Thrown if a rule cannot infer more. */
    static final class Unknown extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unknown() {
            super(null, null, false, false);
        }
    }

    private final NodeProto node;
    private final List<Inferred> inputs;
    private final OnnxFile file;

    NodeView(NodeProto node, List<Inferred> inputs, OnnxFile file) {
        this.node = node;
        this.inputs = inputs;
        this.file = file;
    }

    String op() {
        return node.getOpType();
    }

    int outputs() {
        return node.getOutputCount();
    }

    int inputs() {
        return inputs.size();
    }

    boolean hasInput(int place) {
        return place < node.getInputCount() && !node.getInput(place).isEmpty();
    }

    Inferred input(int place) {
        return hasInput(place) ? inputs.get(place) : Inferred.UNKNOWN;
    }

    Shape shape(int place) {
        Inferred input = input(place);
        if (input.type() == null) {
            throw new Unknown();
        }
        return input.type().shape();
    }

    DType dtype(int place) {
        Inferred input = input(place);
        if (input.type() == null) {
            throw new Unknown();
        }
        return input.type().dtype();
    }

    /** Returns the known integers of an input. */
    long[] content(int place) {
        long[] content = input(place).content();
        if (content == null) {
            throw new Unknown();
        }
        return content;
    }

    /**
     * Returns integers that are an attribute in older versions of the format and an input in newer ones; empty if neither is
     * set.
     */
    Optional<long[]> list(String name, int place) {
        return hasInput(place) ? Optional.of(content(place)) : ints(name);
    }

    private Optional<AttributeProto> attribute(String name) {
        return node.getAttributeList().stream()
                .filter(each -> each.getName().equals(name))
                .findFirst();
    }

    boolean has(String name) {
        return attribute(name).isPresent();
    }

    long integer(String name, long standard) {
        return attribute(name).map(AttributeProto::getI).orElse(standard);
    }

    Optional<long[]> ints(String name) {
        return attribute(name)
                .map(each ->
                        each.getIntsList().stream().mapToLong(Long::longValue).toArray());
    }

    Optional<float[]> floats(String name) {
        return attribute(name).map(each -> {
            float[] values = new float[each.getFloatsCount()];
            for (int index = 0; index < values.length; index++) {
                values[index] = each.getFloats(index);
            }
            return values;
        });
    }

    String text(String name, String standard) {
        return attribute(name).map(each -> each.getS().toStringUtf8()).orElse(standard);
    }

    Optional<TensorProto> tensor(String name) {
        return attribute(name).filter(AttributeProto::hasT).map(AttributeProto::getT);
    }

    Optional<DType> dtypeAttribute(String name) {
        return attribute(name).flatMap(each -> OnnxTypes.dtype((int) each.getI()));
    }

    /** Returns the properties of a tensor in the model. */
    Inferred constant(TensorProto tensor) {
        return ShapeInference.constant(tensor, file);
    }

    /** Returns an axis of a shape, counted from the front. */
    static int axis(long axis, int rank) {
        if (axis < -rank || axis >= rank) {
            throw new Unknown();
        }
        return (int) (axis < 0 ? axis + rank : axis);
    }
}
