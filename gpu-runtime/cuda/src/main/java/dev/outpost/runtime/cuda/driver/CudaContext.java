package dev.outpost.runtime.cuda.driver;

import jcuda.driver.CUcontext;
import jcuda.driver.JCudaDriver;

/**
 * The primary context of a device, which CUDA's libraries share. Objects of the context must be closed before it. A thread must make the
 * context current before it calls the driver.
 */
public final class CudaContext implements AutoCloseable {
    private final CudaDevice device;
    private final CUcontext context = new CUcontext();

    private CudaContext(CudaDevice device) {
        this.device = device;
    }

    /**
     * Opens the device for the calling thread.
     *
     * @throws dev.outpost.runtime.cuda.library.CudaException if the driver refuses it
     */
    public static CudaContext open(CudaDevice device) {
        CudaContext opened = new CudaContext(device);
        DriverCheck.check(
                "cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(opened.context, device.handle()));
        opened.makeCurrent();
        return opened;
    }

    public CudaDevice device() {
        return device;
    }

    /** Makes this the context of the calling thread. */
    public void makeCurrent() {
        DriverCheck.check("cuCtxSetCurrent", JCudaDriver.cuCtxSetCurrent(context));
    }

    @Override
    public void close() {
        DriverCheck.check("cuDevicePrimaryCtxRelease", JCudaDriver.cuDevicePrimaryCtxRelease(device.handle()));
    }
}
