package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.compile.CompileTarget;
import dev.outpost.runtime.cuda.compile.Nvrtc;
import java.util.Locale;
import java.util.Map;

/** Compiles a kernel for the oldest architecture that the compiler supports. */
final class CompileCheck {
    private static final String NAME = "NVRTC compiles";

    private CompileCheck() {}

    static CheckResult run(Nvrtc nvrtc) {
        try {
            CompileTarget target = CompileTarget.cubin(nvrtc.architectures().getFirst());
            long start = System.nanoTime();
            byte[] cubin = SampleKernel.compile(nvrtc, target);
            double seconds = (System.nanoTime() - start) / 1e9;
            return CheckResult.ok(
                    NAME,
                    String.format(Locale.ROOT, "a kernel of %d bytes in %.0f ms", cubin.length, 1e3 * seconds),
                    Map.of("compile seconds", seconds));
        } catch (RuntimeException failure) {
            return CheckResult.failed(
                    NAME, failure.getMessage(), "Use the library with the files that NVIDIA delivers beside it.");
        }
    }
}
