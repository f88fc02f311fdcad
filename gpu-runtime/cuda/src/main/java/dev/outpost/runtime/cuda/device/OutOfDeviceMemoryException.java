package dev.outpost.runtime.cuda.device;

/** The device has no such block of memory left. */
public final class OutOfDeviceMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OutOfDeviceMemoryException(String message, Throwable cause) {
        super(message, cause);
    }
}
