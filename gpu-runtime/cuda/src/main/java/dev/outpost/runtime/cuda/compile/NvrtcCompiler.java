package dev.outpost.runtime.cuda.compile;

import dev.outpost.runtime.cuda.device.KernelCompiler;

/** Compiles the engine's kernels for one device. */
public record NvrtcCompiler(Nvrtc nvrtc, CompileTarget target) implements KernelCompiler {
    /** Disables the contraction of products and sums, because fused code must have the bits of separate code. */
    private static final String SEPARATE = "--fmad=false";

    private static final String QUIET = "--disable-warnings";
    private static final String NAME = "outpost.cu";

    @Override
    public String identity() {
        return "NVRTC " + nvrtc.version() + " " + target.option() + " " + SEPARATE;
    }

    @Override
    public byte[] compile(String source) {
        return nvrtc.compile(NAME, source, target, SEPARATE, QUIET);
    }
}
