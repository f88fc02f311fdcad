package dev.outpost.runtime.cuda.library;

import java.util.List;
import java.util.Optional;

/** The libraries of CUDA that the engine calls, apart from the driver. */
public enum CudaLibrary {
    NVRTC("NVRTC", "libnvrtc.so.", Optional.of("libnvrtc-builtins.so.")),
    CUBLAS_LT("cuBLASLt", "libcublasLt.so.", Optional.empty());

    /** The major versions with known functions and structures, the newest first. */
    public static final List<Integer> MAJORS = List.of(13, 12);

    private final String title;
    private final String prefix;
    private final Optional<String> companion;

    CudaLibrary(String title, String prefix, Optional<String> companion) {
        this.title = title;
        this.prefix = prefix;
        this.companion = companion;
    }

    /** NVIDIA's name of the library. */
    public String title() {
        return title;
    }

    /** Returns the file name for a major version, such as {@code libnvrtc.so.13}. */
    public String file(int major) {
        return prefix + major;
    }

    /** Returns the prefix of the file that the library itself loads from its own folder on use. */
    Optional<String> companion() {
        return companion;
    }
}
