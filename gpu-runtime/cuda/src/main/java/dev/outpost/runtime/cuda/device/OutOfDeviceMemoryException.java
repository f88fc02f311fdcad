package dev.outpost.runtime.cuda.device;

/** Thrown if the device has no free block of the requested size. */
public final class OutOfDeviceMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OutOfDeviceMemoryException(String message, Throwable cause) {
        super(message, cause);
    }
}
