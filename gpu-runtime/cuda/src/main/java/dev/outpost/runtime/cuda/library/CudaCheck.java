package dev.outpost.runtime.cuda.library;

import java.util.function.IntFunction;

/**
 * The check of the result of every native call.
 *
 * @param text the library's text for a code
 */
public record CudaCheck(IntFunction<String> text) {
    private static final int SUCCESS = 0;

    /**
     * Checks the code of a call.
     *
     * @throws CudaException if the code is not that of success
     */
    public void check(String call, int code) {
        if (code != SUCCESS) {
            throw new CudaException(call, code, text.apply(code));
        }
    }
}
