package dev.outpost.types;

/** The element types. Codes are stable on the wire. Names are PyTorch's. */
public enum DType {
    FLOAT32("float32", 4, Category.FLOATING),
    FLOAT64("float64", 8, Category.FLOATING),
    FLOAT16("float16", 2, Category.FLOATING),
    BFLOAT16("bfloat16", 2, Category.FLOATING),
    INT64("int64", 8, Category.INTEGRAL),
    INT32("int32", 4, Category.INTEGRAL),
    INT16("int16", 2, Category.INTEGRAL),
    INT8("int8", 1, Category.INTEGRAL),
    UINT8("uint8", 1, Category.INTEGRAL),
    BOOL("bool", 1, Category.BOOL);

    /** The three steps of PyTorch's promotion ladder. */
    public enum Category {
        BOOL,
        INTEGRAL,
        FLOATING
    }

    private static final DType[] BY_CODE = values();

    private final String label;
    private final int bytes;
    private final Category category;

    DType(String label, int bytes, Category category) {
        this.label = label;
        this.bytes = bytes;
        this.category = category;
    }

    /** PyTorch's name, such as {@code float32}. */
    public String label() {
        return label;
    }

    /** Returns the size of one element. */
    public int bytes() {
        return bytes;
    }

    public Category category() {
        return category;
    }

    public boolean isFloating() {
        return category == Category.FLOATING;
    }

    public boolean isIntegral() {
        return category == Category.INTEGRAL;
    }

    public int code() {
        return ordinal();
    }

    public static DType ofCode(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new MalformedException("dtype code " + code + " is unknown");
        }
        return BY_CODE[code];
    }

    /** Finds a dtype by its name. Throws an {@link IllegalArgumentException} that lists the names if there is none. */
    public static DType ofLabel(String label) {
        for (DType dtype : BY_CODE) {
            if (dtype.label.equals(label)) {
                return dtype;
            }
        }
        throw new IllegalArgumentException(
                "no dtype is called " + label + "; there are " + java.util.Arrays.toString(BY_CODE));
    }

    @Override
    public String toString() {
        return label;
    }
}
