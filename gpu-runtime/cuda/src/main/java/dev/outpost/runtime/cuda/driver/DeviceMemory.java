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
     * Reserves memory, whose content is undefined.
     *
     * @throws dev.outpost.runtime.cuda.library.CudaException if there is not so much
     */
    public DeviceMemory(long bytes) {
        this.bytes = bytes;
        DriverCheck.check("cuMemAlloc of " + bytes + " bytes", JCudaDriver.cuMemAlloc(handle, bytes));
    }

    /** Memory that holds these elements. */
    public static DeviceMemory of(float[] elements) {
        return holding(Pointer.to(elements), 4L * elements.length);
    }

    /** Memory that holds these elements, be they integers or floats of 16 bits. */
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

    /** The driver may return before all has arrived, and streams that do not block would not wait for the rest. */
    private void write(Pointer elements) {
        DriverCheck.check("cuMemcpyHtoD", JCudaDriver.cuMemcpyHtoD(handle, elements, bytes));
        DriverCheck.check("cuCtxSynchronize", JCudaDriver.cuCtxSynchronize());
    }

    public long bytes() {
        return bytes;
    }

    /** The device's address, for libraries that are not called through JCuda. */
    public long address() {
        return handle.address();
    }

    /** Its first elements, once all streams are done. */
    public float[] floats(int count) {
        float[] elements = new float[count];
        read(Pointer.to(elements), 4L * count);
        return elements;
    }

    /** Its first elements of 16 bits, once all streams are done. */
    public short[] shorts(int count) {
        short[] elements = new short[count];
        read(Pointer.to(elements), 2L * count);
        return elements;
    }

    /** The copy would not wait for streams that do not block. */
    private void read(Pointer elements, long count) {
        DriverCheck.check("cuCtxSynchronize", JCudaDriver.cuCtxSynchronize());
        DriverCheck.check("cuMemcpyDtoH", JCudaDriver.cuMemcpyDtoH(elements, handle, count));
    }

    /** Fills this block from another of at least its size, behind what is in the stream. */
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

    /** JCuda keeps the pointer for its subclasses. */
    private static final class Handle extends CUdeviceptr {
        long address() {
            return getNativePointer();
        }
    }
}
