package dev.outpost.runtime.cuda.blas;

/** The types of matrices. All products are summed in 32 bits. */
public enum MatrixType {
    FLOAT32(0, 4),
    FLOAT16(2, 2),
    BFLOAT16(14, 2);

    private final int code;
    private final int bytes;

    MatrixType(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** CUDA's {@code cudaDataType}. */
    int code() {
        return code;
    }

    /** Returns the size of an element. */
    public int bytes() {
        return bytes;
    }
}
