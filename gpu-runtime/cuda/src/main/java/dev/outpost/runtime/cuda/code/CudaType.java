package dev.outpost.runtime.cuda.code;

import dev.outpost.types.DType;

/** The names of an element's types in the text of a kernel: the type in memory, and the type for computations. */
public enum CudaType {
    F32("f32", "f32", 4),
    F64("f64", "f64", 8),
    F16("f16", "f32", 2),
    BF16("bf16", "f32", 2),
    I64("i64", "i64", 8),
    I32("i32", "i32", 4),
    I16("i16", "i32", 2),
    I8("i8", "i32", 1),
    U8("u8", "i32", 1),
    B8("b8", "i32", 1),
    /** Types of elements that are only moved, by their size. */
    M8("m8", "u8", 1),
    M16("m16", "u16", 2),
    M32("m32", "u32", 4),
    M64("m64", "u64", 8);

    private final String label;
    private final String value;
    private final int bytes;

    CudaType(String label, String value, int bytes) {
        this.label = label;
        this.value = value;
        this.bytes = bytes;
    }

    public static CudaType of(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> F32;
            case FLOAT64 -> F64;
            case FLOAT16 -> F16;
            case BFLOAT16 -> BF16;
            case INT64 -> I64;
            case INT32 -> I32;
            case INT16 -> I16;
            case INT8 -> I8;
            case UINT8 -> U8;
            case BOOL -> B8;
        };
    }

    /** Returns the type for elements that are only moved. */
    public static CudaType moved(DType dtype) {
        return switch (dtype.bytes()) {
            case 1 -> M8;
            case 2 -> M16;
            case 4 -> M32;
            default -> M64;
        };
    }

    /** Returns the type in memory. */
    public String stored() {
        return isMoved() ? value : label;
    }

    /** Returns the type for computations. */
    public String value() {
        return value;
    }

    public int bytes() {
        return bytes;
    }

    /** Returns the size in bytes of the type for computations. */
    int valueBytes() {
        return value.endsWith("64") ? 8 : 4;
    }

    /** Returns true if results must be rounded or wrapped before they are stored. */
    boolean isNarrow() {
        return !isMoved() && !label.equals(value);
    }

    boolean isFloating() {
        return this == F32 || this == F64 || this == F16 || this == BF16;
    }

    private boolean isMoved() {
        return label.charAt(0) == 'm';
    }

    /** Returns the function that converts a stored element to a number. */
    public String load() {
        return label + "_load";
    }

    public String store() {
        return label + "_store";
    }

    /** Rounds a result to a number that can be stored. */
    String rounded(String expression) {
        return isNarrow() ? label + "_round(" + expression + ")" : expression;
    }

    /** Returns the type of the accumulator: float for 16-bit floats, 64 bits for integers. */
    public CudaType sum() {
        return switch (this) {
            case F32, F16, BF16 -> F32;
            case F64 -> F64;
            case I64, I32, I16, I8, U8, B8 -> I64;
            case M8, M16, M32, M64 -> throw new IllegalStateException(label + " is only moved");
        };
    }

    String converted(CudaType other, String number) {
        return value.equals(other.value) ? number : to(other) + "(" + number + ")";
    }

    /** Returns the function that converts a number of this type to another type. */
    String to(CudaType other) {
        return value + "_to_" + other.value;
    }
}
