package dev.outpost.provider.process.launch;

/** This host has such a GPU, but other machines use it now. */
public final class GpusTakenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    GpusTakenException(String message) {
        super(message);
    }
}
