package dev.outpost.protocol.files;

import dev.outpost.types.DType;
import java.util.LinkedHashMap;
import java.util.Map;

/** The names of dtypes in safetensors. */
final class SafetensorsTypes {
    private static final Map<String, DType> BY_NAME = new LinkedHashMap<>();

    static {
        for (DType dtype : DType.values()) {
            BY_NAME.put(name(dtype), dtype);
        }
    }

    private SafetensorsTypes() {}

    static String name(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> "F64";
            case FLOAT32 -> "F32";
            case FLOAT16 -> "F16";
            case BFLOAT16 -> "BF16";
            case INT64 -> "I64";
            case INT32 -> "I32";
            case INT16 -> "I16";
            case INT8 -> "I8";
            case UINT8 -> "U8";
            case BOOL -> "BOOL";
        };
    }

    static DType ofName(String name) {
        DType dtype = BY_NAME.get(name);
        if (dtype == null) {
            throw new IllegalArgumentException(
                    "the dtype is not supported, expected one of " + BY_NAME.keySet() + ", got " + name);
        }
        return dtype;
    }
}
