package dev.outpost.onnx;

import dev.outpost.HostTensor;
import dev.outpost.types.OpException;
import java.lang.reflect.Array;
import java.util.Collections;
import java.util.SequencedMap;

/** The outputs of one run of a model, by name. Immutable. */
public final class ModelOutputs {
    private final SequencedMap<String, HostTensor> tensors;

    ModelOutputs(SequencedMap<String, HostTensor> tensors) {
        this.tensors = Collections.unmodifiableSequencedMap(tensors);
    }

    /** Returns all outputs in the model's order. */
    public SequencedMap<String, HostTensor> tensors() {
        return tensors;
    }

    /** Returns an output. Fails if the name is unknown. */
    public HostTensor tensor(String name) {
        HostTensor found = tensors.get(name);
        if (found == null) {
            throw new OpException("onnx", "the model has the outputs " + tensors.keySet() + ", got " + name);
        }
        return found;
    }

    /**
     * Returns an output as a Java array with the same number of dimensions. A matrix of floats is a {@code float[][]}, or a
     * {@code double[][]} for float64; integers are {@code long}, and bool is {@code boolean}. A scalar is a {@code float},
     * {@code double}, {@code long} or {@code boolean}.
     *
     * @param <T> the expected type; another one causes a {@link ClassCastException} at the caller
     */
    @SuppressWarnings("unchecked")
    public <T> T get(String name) {
        HostTensor tensor = tensor(name);
        Object flat = switch (tensor.dtype()) {
            case FLOAT64 -> tensor.toDoubleArray();
            case FLOAT32, FLOAT16, BFLOAT16 -> tensor.toFloatArray();
            case INT64, INT32, INT16, INT8, UINT8 -> tensor.toLongArray();
            case BOOL -> tensor.toBooleanArray();
        };
        return (T)
                (tensor.shape().rank() == 0
                        ? Array.get(flat, 0)
                        : nested(flat, tensor.shape().toArray(), 0, new int[1]));
    }

    private static Object nested(Object flat, long[] sizes, int dim, int[] next) {
        if (dim == sizes.length - 1) {
            Object row = Array.newInstance(flat.getClass().getComponentType(), (int) sizes[dim]);
            System.arraycopy(flat, next[0], row, 0, (int) sizes[dim]);
            next[0] += (int) sizes[dim];
            return row;
        }
        int[] shape = new int[sizes.length - dim];
        for (int each = 0; each < shape.length; each++) {
            shape[each] = (int) sizes[dim + each];
        }
        Object rows = Array.newInstance(flat.getClass().getComponentType(), shape);
        for (int row = 0; row < shape[0]; row++) {
            Array.set(rows, row, nested(flat, sizes, dim + 1, next));
        }
        return rows;
    }

    @Override
    public String toString() {
        return tensors.toString();
    }
}
