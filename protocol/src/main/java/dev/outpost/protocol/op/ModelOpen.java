package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens a model of another library, such as one in ONNX's format. Operands are the model's bytes {@code [n]} (uint8) and its separate
 * weights by name, if it has any. The result stands for the open model. It is an operand of {@link ModelCall}, and the model is closed when
 * the value is freed. The operands are not needed afterwards. It is a primitive, because no other op can run such a model.
 *
 * @param weights (structure) the names of the separate weights, in the order of the operands
 * @param isOptimized (structure) true if the library may replace parts of the model by others that round differently
 */
public record ModelOpen(List<String> weights, boolean isOptimized) implements PlacementOp {
    static final OpSignature SIGNATURE = new OpSignature(218, "model_open", VARIADIC);

    /** The type of the result. The value of its element has no meaning. */
    public static final TensorType HANDLE = new TensorType(DType.UINT8, Shape.of(1));

    /** The maximum number of weights of a model. */
    public static final int MAX_WEIGHTS = 1 << 16;

    public ModelOpen {
        weights = List.copyOf(weights);
    }

    static ModelOpen read(AttributeReader in) {
        int count = in.structure().count("weights", 1);
        if (count > MAX_WEIGHTS) {
            throw new MalformedException("model_open: " + count + " weights are over " + MAX_WEIGHTS);
        }
        List<String> weights = new ArrayList<>(count);
        for (int weight = 0; weight < count; weight++) {
            weights.add(in.structure().string());
        }
        return new ModelOpen(weights, in.flag());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(weights.size());
        weights.forEach(out.structure()::string);
        out.flag(isOptimized);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        if (operands.length != 1 + weights.size()) {
            throw new OpException(
                    label(),
                    "expected the model's bytes and " + weights.size() + " weights, got " + operands.length
                            + " operands");
        }
        if (operands[0].dtype() != DType.UINT8 || operands[0].shape().rank() != 1) {
            throw new OpException(label(), "expected the model's bytes as uint8 [n], got " + operands[0]);
        }
        return new TensorType[] {HANDLE};
    }
}
