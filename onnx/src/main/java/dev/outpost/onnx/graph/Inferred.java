package dev.outpost.onnx.graph;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a value that are known before it is computed.
 *
 * @param type dtype and shape; null if they are unknown or no tensor can have them
 * @param content the elements, if they are a short list of known integers such as a shape; else null
 */
record Inferred(@Nullable TensorType type, long @Nullable [] content) {
    static final Inferred UNKNOWN = new Inferred(null, null);

    /** The maximum number of elements of a known list; longer ones are not shapes. */
    static final int MAX_CONTENT = 256;

    static Inferred of(@Nullable DType dtype, Shape shape) {
        return dtype == null ? UNKNOWN : new Inferred(new TensorType(dtype, shape), null);
    }

    static Inferred of(DType dtype, Shape shape, long @Nullable [] content) {
        return new Inferred(new TensorType(dtype, shape), content);
    }

    /** Returns a one-dimensional list of int64. */
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
