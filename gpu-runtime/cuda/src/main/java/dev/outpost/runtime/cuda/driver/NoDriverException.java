package dev.outpost.runtime.cuda.driver;

/** Thrown if this machine has no usable CUDA driver. */
public final class NoDriverException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean missing;
    private final String problem;
    private final String remedy;

    private NoDriverException(boolean missing, String problem, String remedy, Throwable cause) {
        super("CUDA driver: " + problem + ": " + remedy, cause);
        this.missing = missing;
        this.problem = problem;
        this.remedy = remedy;
    }

    static NoDriverException missing() {
        return new NoDriverException(
                true,
                "libcuda.so.1 not found",
                "With an NVIDIA GPU, install its driver; in a container, start it with the GPU (docker run --gpus all,"
                        + " or nvidia.com/gpu in a pod's limits).",
                null);
    }

    static NoDriverException broken(String problem, Throwable cause) {
        return new NoDriverException(
                false,
                problem,
                "Run nvidia-smi: the driver's libraries and its kernel module must have the same version.",
                cause);
    }

    /** Returns true if there is no driver at all, and false if there is one that does not work. */
    public boolean isMissing() {
        return missing;
    }

    /** Returns the problem, such as {@code libcuda.so.1 not found}. */
    public String problem() {
        return problem;
    }

    /** Returns the advice to the user, in one sentence. */
    public String remedy() {
        return remedy;
    }
}
