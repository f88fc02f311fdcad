package dev.outpost.onnx.graph;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of a value before it is computed.
 *
 * @param type dtype and shape; null where they are not known, or no tensor has them
 * @param content its elements, where it is a short list of integers that are known, such as a shape; else null
 */
record Inferred(@Nullable TensorType type, long @Nullable [] content) {
    static final Inferred UNKNOWN = new Inferred(null, null);

    /** More elements than this are no shape. */
    static final int MAX_CONTENT = 256;

    static Inferred of(@Nullable DType dtype, Shape shape) {
        return dtype == null ? UNKNOWN : new Inferred(new TensorType(dtype, shape), null);
    }

    static Inferred of(DType dtype, Shape shape, long @Nullable [] content) {
        return new Inferred(new TensorType(dtype, shape), content);
    }

    /** A one-dimensional list of int64. */
    static Inferred list(long... content) {
        return of(DType.INT64, Shape.of(content.length), content);
    }

    boolean isKnown() {
        return type != null;
    }

    Inferred withoutContent() {
        return content == null ? this : new Inferred(type, null);
    }
}
