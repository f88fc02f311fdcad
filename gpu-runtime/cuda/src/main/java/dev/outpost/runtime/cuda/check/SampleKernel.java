package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.compile.CompileTarget;
import dev.outpost.runtime.cuda.compile.Nvrtc;

/** The sample kernel {@code relu(a * b + c)}, which resembles fused kernels. */
final class SampleKernel {
    static final String NAME = "relu_of_sum";

    private static final String SOURCE = """
            extern "C" __global__ void relu_of_sum(
                    const float *a, const float *b, const float *c, float *result, long long count) {
                long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x;
                if (i < count) {
                    float sum = a[i] * b[i] + c[i];
                    result[i] = sum > 0 ? sum : 0;
                }
            }
            """;

    private SampleKernel() {}

    /** Compiles the kernel without fused multiply-add. It rounds after the product like Java, so results are equal bit for bit. */
    static byte[] compile(Nvrtc nvrtc, CompileTarget target) {
        return nvrtc.compile(NAME + ".cu", SOURCE, target, "--fmad=false");
    }

    /** Computes the expected results of the kernel. */
    static float[] expected(float[] a, float[] b, float[] c) {
        float[] result = new float[a.length];
        for (int i = 0; i < a.length; i++) {
            result[i] = Math.max(a[i] * b[i] + c[i], 0);
        }
        return result;
    }
}
