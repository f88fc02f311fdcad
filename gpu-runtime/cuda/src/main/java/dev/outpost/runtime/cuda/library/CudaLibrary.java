package dev.outpost.runtime.cuda.library;

import java.util.List;
import java.util.Optional;

/** The libraries of CUDA that are called besides the driver. */
public enum CudaLibrary {
    NVRTC("NVRTC", "libnvrtc.so.", Optional.of("libnvrtc-builtins.so.")),
    CUBLAS_LT("cuBLASLt", "libcublasLt.so.", Optional.empty());

    /** The majors whose functions and structures are known, the newest first. */
    public static final List<Integer> MAJORS = List.of(13, 12);

    private final String title;
    private final String prefix;
    private final Optional<String> companion;

    CudaLibrary(String title, String prefix, Optional<String> companion) {
        this.title = title;
        this.prefix = prefix;
        this.companion = companion;
    }

    /** The name that NVIDIA gives it. */
    public String title() {
        return title;
    }

    /** The file of a major, such as {@code libnvrtc.so.13}. */
    public String file(int major) {
        return prefix + major;
    }

    /** How the name of a file begins that it loads from its own folder when it is used. */
    Optional<String> companion() {
        return companion;
    }
}
