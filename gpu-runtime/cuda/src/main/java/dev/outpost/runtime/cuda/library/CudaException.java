package dev.outpost.runtime.cuda.library;

/** Thrown if a call of the driver or of one of CUDA's libraries fails. The message names the call, the code and its text. */
public final class CudaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int code;

    CudaException(String call, int code, String text) {
        super(call + ": failed with code " + code + ": " + text);
        this.call = call;
        this.code = code;
    }

    /** Returns the failed function, such as {@code cuMemAlloc}. */
    public String call() {
        return call;
    }

    /** Returns the code that the function returned, in the library's own numbers. */
    public int code() {
        return code;
    }
}
