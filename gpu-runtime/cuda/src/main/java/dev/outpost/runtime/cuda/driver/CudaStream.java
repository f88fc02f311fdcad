package dev.outpost.runtime.cuda.driver;

import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/** A queue of work of the current context, executed in order. */
public final class CudaStream implements AutoCloseable {
    private final Handle handle = new Handle();

    public CudaStream() {
        DriverCheck.check("cuStreamCreate", JCudaDriver.cuStreamCreate(handle, CUstream_flags.CU_STREAM_NON_BLOCKING));
    }

    /** Returns the driver's pointer, for libraries that are not called through JCuda. */
    public long address() {
        return handle.address();
    }

    CUstream handle() {
        return handle;
    }

    @Override
    public void close() {
        DriverCheck.check("cuStreamDestroy", JCudaDriver.cuStreamDestroy(handle));
    }

    /** Exposes the pointer, which JCuda makes accessible only to subclasses. */
    private static final class Handle extends CUstream {
        long address() {
            return getNativePointer();
        }
    }
}
