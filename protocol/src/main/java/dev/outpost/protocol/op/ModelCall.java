package dev.outpost.protocol.op;

import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs an open model. Operands are the value that {@link ModelOpen} made and the model's inputs, in its own order. Results are its outputs,
 * in its own order. It is a user fault if an input does not have the model's type, or an output does not have the type in {@code results}.
 *
 * @param results (structure) dtype and shape of each output
 */
public record ModelCall(List<TensorType> results) implements PlacementOp {
    static final OpSignature SIGNATURE = new OpSignature(219, "model_call", VARIADIC);

    /** The maximum number of outputs of a model. */
    public static final int MAX_RESULTS = 4096;

    public ModelCall {
        results = List.copyOf(results);
    }

    static ModelCall read(AttributeReader in) {
        int count = in.structure().count("results", 2);
        if (count == 0 || count > MAX_RESULTS) {
            throw new MalformedException("model_call: expected 1 to " + MAX_RESULTS + " results, got " + count);
        }
        List<TensorType> results = new ArrayList<>(count);
        for (int result = 0; result < count; result++) {
            results.add(in.type());
        }
        return new ModelCall(results);
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(results.size());
        results.forEach(out::type);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        if (operands.length == 0 || !operands[0].equals(ModelOpen.HANDLE)) {
            throw new OpException(
                    label(),
                    "expected an open model and its inputs, got "
                            + (operands.length == 0 ? "no operands" : String.valueOf(operands[0])));
        }
        return results.toArray(TensorType[]::new);
    }
}
