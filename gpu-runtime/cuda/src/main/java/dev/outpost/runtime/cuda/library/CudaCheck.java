package dev.outpost.runtime.cuda.library;

import java.util.function.IntFunction;

/**
 * The one check that every native call goes through.
 *
 * @param text what the library says about a code
 */
public record CudaCheck(IntFunction<String> text) {
    private static final int SUCCESS = 0;

    /**
     * Returns if the code says success.
     *
     * @throws CudaException if it does not
     */
    public void check(String call, int code) {
        if (code != SUCCESS) {
            throw new CudaException(call, code, text.apply(code));
        }
    }
}
