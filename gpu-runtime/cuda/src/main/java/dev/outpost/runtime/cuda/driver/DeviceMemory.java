package dev.outpost.runtime.cuda.driver;

import dev.outpost.runtime.cuda.library.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

/** A block of the device's memory, of the current context. */
public final class DeviceMemory implements AutoCloseable {
    private final Handle handle = new Handle();
    private final long bytes;

    /**
     * Reserves memory with undefined content.
     *
     * @throws dev.outpost.runtime.cuda.library.CudaException if there is too little memory
     */
    public DeviceMemory(long bytes) {
        this.bytes = bytes;
        DriverCheck.check("cuMemAlloc of " + bytes + " bytes", JCudaDriver.cuMemAlloc(handle, bytes));
    }

    /** Allocates memory with these elements. */
    public static DeviceMemory of(float[] elements) {
        return holding(Pointer.to(elements), 4L * elements.length);
    }

    /** Allocates memory with these elements, which are integers or floats of 16 bits. */
    public static DeviceMemory of(short[] elements) {
        return holding(Pointer.to(elements), 2L * elements.length);
    }

    private static DeviceMemory holding(Pointer elements, long bytes) {
        DeviceMemory memory = new DeviceMemory(bytes);
        try {
            memory.write(elements);
            return memory;
        } catch (CudaException failure) {
            memory.close();
            throw failure;
        }
    }

    /**
     * Synchronizes after the copy, because the driver may return before all bytes have arrived, and non-blocking streams would not wait for
     * them.
     */
    private void write(Pointer elements) {
        DriverCheck.check("cuMemcpyHtoD", JCudaDriver.cuMemcpyHtoD(handle, elements, bytes));
        DriverCheck.check("cuCtxSynchronize", JCudaDriver.cuCtxSynchronize());
    }

    public long bytes() {
        return bytes;
    }

    /** Returns the device's address, for libraries that are not called through JCuda. */
    public long address() {
        return handle.address();
    }

    /** Reads its first elements after all streams have finished. */
    public float[] floats(int count) {
        float[] elements = new float[count];
        read(Pointer.to(elements), 4L * count);
        return elements;
    }

    /** Reads its first 16-bit elements after all streams have finished. */
    public short[] shorts(int count) {
        short[] elements = new short[count];
        read(Pointer.to(elements), 2L * count);
        return elements;
    }

    /** Synchronizes before the copy, which would not wait for non-blocking streams. */
    private void read(Pointer elements, long count) {
        DriverCheck.check("cuCtxSynchronize", JCudaDriver.cuCtxSynchronize());
        DriverCheck.check("cuMemcpyDtoH", JCudaDriver.cuMemcpyDtoH(elements, handle, count));
    }

    /** Appends a copy to the stream that fills this block from another block of at least its size. */
    public void copyFrom(DeviceMemory source, CudaStream stream) {
        DriverCheck.check(
                "cuMemcpyDtoDAsync", JCudaDriver.cuMemcpyDtoDAsync(handle, source.handle, bytes, stream.handle()));
    }

    CUdeviceptr handle() {
        return handle;
    }

    @Override
    public void close() {
        DriverCheck.check("cuMemFree", JCudaDriver.cuMemFree(handle));
    }

    /** Exposes the pointer, which JCuda makes accessible only to subclasses. */
    private static final class Handle extends CUdeviceptr {
        long address() {
            return getNativePointer();
        }
    }
}
