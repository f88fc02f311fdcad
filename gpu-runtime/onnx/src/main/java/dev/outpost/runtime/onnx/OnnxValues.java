package dev.outpost.runtime.onnx;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import dev.outpost.runtime.model.ModelValue;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.nio.ByteBuffer;

/** Values of a runtime as ONNX Runtime's tensors, which use the same memory without copies. */
final class OnnxValues {
    private OnnxValues() {}

    static OnnxTensor tensor(OrtEnvironment environment, ModelValue value) throws OrtException {
        ByteBuffer elements =
                value.elements().duplicate().order(value.elements().order());
        return OnnxTensor.createTensor(
                environment,
                elements,
                sizes(value.type().shape()),
                type(value.type().dtype()));
    }

    static long[] sizes(Shape shape) {
        long[] sizes = new long[shape.rank()];
        for (int dim = 0; dim < sizes.length; dim++) {
            sizes[dim] = shape.size(dim);
        }
        return sizes;
    }

    static OnnxJavaType type(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> OnnxJavaType.FLOAT;
            case FLOAT64 -> OnnxJavaType.DOUBLE;
            case FLOAT16 -> OnnxJavaType.FLOAT16;
            case BFLOAT16 -> OnnxJavaType.BFLOAT16;
            case INT64 -> OnnxJavaType.INT64;
            case INT32 -> OnnxJavaType.INT32;
            case INT16 -> OnnxJavaType.INT16;
            case INT8 -> OnnxJavaType.INT8;
            case UINT8 -> OnnxJavaType.UINT8;
            case BOOL -> OnnxJavaType.BOOL;
        };
    }
}
