package dev.outpost.runtime.cuda.compile;

import java.util.Collections;
import java.util.List;

/**
 * The target of compiled code.
 *
 * @param architecture a compute capability, 90 for 9.0
 * @param form machine code, or PTX, which the driver translates when it loads it
 */
public record CompileTarget(int architecture, Form form) {
    /** The form of the compiler's output. */
    public enum Form {
        CUBIN("sm_"),
        PTX("compute_");

        private final String prefix;

        Form(String prefix) {
            this.prefix = prefix;
        }
    }

    /** Machine code for an architecture. */
    public static CompileTarget cubin(int architecture) {
        return new CompileTarget(architecture, Form.CUBIN);
    }

    /**
     * Returns the best target for a device: machine code, or PTX for the compiler's newest architecture if the device is newer than the
     * compiler.
     *
     * @param supported the compiler's architectures
     * @throws IllegalArgumentException if the compiler no longer supports the device
     */
    static CompileTarget forDevice(int architecture, List<Integer> supported) {
        if (supported.contains(architecture)) {
            return cubin(architecture);
        }
        return supported.stream()
                .filter(known -> known < architecture)
                .max(Integer::compare)
                .map(known -> new CompileTarget(known, Form.PTX))
                .orElseThrow(
                        () -> new IllegalArgumentException("NVRTC: compute capability too old, the compiler begins at "
                                + Collections.min(supported) + ", got " + architecture
                                + ": use the libraries of an older CUDA"));
    }

    String option() {
        return "--gpu-architecture=" + form.prefix + architecture;
    }
}
