package dev.outpost.protocol.files;

import dev.outpost.types.DType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** The names of dtypes in safetensors. */
final class SafetensorsTypes {
    private static final Map<String, DType> BY_NAME = new LinkedHashMap<>();

    /** The bits per element of the format's other dtypes, which Outpost does not support. */
    private static final Map<String, Integer> UNSUPPORTED = Map.ofEntries(
            Map.entry("F4", 4),
            Map.entry("F6_E2M3", 6),
            Map.entry("F6_E3M2", 6),
            Map.entry("F8_E5M2", 8),
            Map.entry("F8_E4M3", 8),
            Map.entry("F8_E5M2FNUZ", 8),
            Map.entry("F8_E4M3FNUZ", 8),
            Map.entry("F8_E8M0", 8),
            Map.entry("U16", 16),
            Map.entry("U32", 32),
            Map.entry("U64", 64),
            Map.entry("C64", 64));

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

    /** Returns true if Outpost supports the dtype. Throws IllegalArgumentException if the format has no such dtype. */
    static boolean isSupported(String name) {
        if (!BY_NAME.containsKey(name) && !UNSUPPORTED.containsKey(name)) {
            throw new IllegalArgumentException("there is no dtype " + Json.quote(name) + ", expected one of "
                    + BY_NAME.keySet() + " or " + new TreeSet<>(UNSUPPORTED.keySet()));
        }
        return BY_NAME.containsKey(name);
    }

    /** Returns the bits per element of a dtype that is not {@linkplain #isSupported supported}. */
    static int unsupportedBits(String name) {
        return Objects.requireNonNull(UNSUPPORTED.get(name), name);
    }

    /** Returns a {@linkplain #isSupported supported} dtype. */
    static DType ofName(String name) {
        return Objects.requireNonNull(BY_NAME.get(name), name);
    }
}
