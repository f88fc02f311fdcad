package dev.outpost.protocol.files;

import dev.outpost.types.DType;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The dtypes that torch names in its files: as classes of storages and, since torch 2.3, also directly. */
final class TorchDtypes {
    /**
     * The dtype of elements.
     *
     * @param name torch's name, for example {@code float8_e4m3fn}
     * @param bytes the size of an element
     * @param dtype Outpost's dtype; null if it has none
     */
    record Elements(String name, int bytes, @Nullable DType dtype) {}

    private static final Map<String, Elements> STORAGES = new HashMap<>();
    private static final Map<String, Elements> NAMES = new HashMap<>();

    static {
        add("float64", 8, DType.FLOAT64, "DoubleStorage");
        add("float32", 4, DType.FLOAT32, "FloatStorage");
        add("float16", 2, DType.FLOAT16, "HalfStorage");
        add("bfloat16", 2, DType.BFLOAT16, "BFloat16Storage");
        add("int64", 8, DType.INT64, "LongStorage");
        add("int32", 4, DType.INT32, "IntStorage");
        add("int16", 2, DType.INT16, "ShortStorage");
        add("int8", 1, DType.INT8, "CharStorage");
        add("uint8", 1, DType.UINT8, "ByteStorage");
        add("bool", 1, DType.BOOL, "BoolStorage");
        add("complex64", 8, null, "ComplexFloatStorage");
        add("complex128", 16, null, "ComplexDoubleStorage");
        for (String name :
                new String[] {"float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"}) {
            add(name, 1, null, "");
        }
        add("uint16", 2, null, "");
        add("uint32", 4, null, "");
        add("uint64", 8, null, "");
        add("complex32", 4, null, "");
    }

    private TorchDtypes() {}

    private static void add(String name, int bytes, @Nullable DType dtype, String storage) {
        Elements elements = new Elements(name, bytes, dtype);
        NAMES.put(name, elements);
        if (!storage.isEmpty()) {
            STORAGES.put(storage, elements);
        }
    }

    /** Returns the dtype with a name of the module {@code torch}; null if there is none. */
    static @Nullable Elements ofName(String name) {
        return NAMES.get(name);
    }

    /** Returns the dtype of a storage class of the module {@code torch}; null if there is none. */
    static @Nullable Elements ofStorage(String name) {
        return STORAGES.get(name);
    }
}
