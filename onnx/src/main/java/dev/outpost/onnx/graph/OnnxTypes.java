package dev.outpost.onnx.graph;

import dev.outpost.onnx.proto.TensorProto;
import dev.outpost.onnx.proto.TensorProto.DataType;
import dev.outpost.onnx.type.OnnxException;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Optional;

/** Converts dtypes and shapes from and to ONNX's format. */
public final class OnnxTypes {
    /** The maximum number of elements of a valid tensor; larger tensors fit no memory. */
    private static final long MAX_SIZE = 1L << 40;

    private OnnxTypes() {}

    /** Returns the dtype of a number in the format; empty if tensors cannot have it. */
    public static Optional<DType> dtype(int number) {
        DataType type = DataType.forNumber(number);
        if (type == null) {
            return Optional.empty();
        }
        return switch (type) {
            case FLOAT -> Optional.of(DType.FLOAT32);
            case DOUBLE -> Optional.of(DType.FLOAT64);
            case FLOAT16 -> Optional.of(DType.FLOAT16);
            case BFLOAT16 -> Optional.of(DType.BFLOAT16);
            case INT64 -> Optional.of(DType.INT64);
            case INT32 -> Optional.of(DType.INT32);
            case INT16 -> Optional.of(DType.INT16);
            case INT8 -> Optional.of(DType.INT8);
            case UINT8 -> Optional.of(DType.UINT8);
            case BOOL -> Optional.of(DType.BOOL);
            default -> Optional.empty();
        };
    }

    /** Returns the number of a dtype in the format. */
    public static int number(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> DataType.FLOAT_VALUE;
            case FLOAT64 -> DataType.DOUBLE_VALUE;
            case FLOAT16 -> DataType.FLOAT16_VALUE;
            case BFLOAT16 -> DataType.BFLOAT16_VALUE;
            case INT64 -> DataType.INT64_VALUE;
            case INT32 -> DataType.INT32_VALUE;
            case INT16 -> DataType.INT16_VALUE;
            case INT8 -> DataType.INT8_VALUE;
            case UINT8 -> DataType.UINT8_VALUE;
            case BOOL -> DataType.BOOL_VALUE;
        };
    }

    /** Returns dtype and shape of a tensor in a model; empty if the dtype is not supported. */
    public static Optional<TensorType> type(TensorProto tensor) {
        return dtype(tensor.getDataType()).map(dtype -> new TensorType(dtype, shape(tensor)));
    }

    /** Returns the shape of a tensor in a model. Fails if its sizes are invalid. */
    public static Shape shape(TensorProto tensor) {
        long[] sizes = new long[tensor.getDimsCount()];
        for (int dim = 0; dim < sizes.length; dim++) {
            sizes[dim] = tensor.getDims(dim);
        }
        if (!isSensible(sizes)) {
            throw new OnnxException("the tensor " + tensor.getName() + " has the sizes " + tensor.getDimsList());
        }
        return Shape.of(sizes);
    }

    /** True if a tensor of this shape could fit a memory. The sizes in a model may be any numbers. */
    static boolean isSensible(long... sizes) {
        long elements = 1;
        for (long size : sizes) {
            if (size < 0 || size > MAX_SIZE || elements > MAX_SIZE / Math.max(1, size)) {
                return false;
            }
            elements *= Math.max(1, size);
        }
        return sizes.length <= Shape.MAX_RANK;
    }
}
