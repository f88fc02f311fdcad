package dev.outpost.runtime.cuda.driver;

import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

/** Compiled code that was loaded into the current context. */
public final class CudaModule implements AutoCloseable {
    private final CUmodule module = new CUmodule();

    /**
     * Loads a cubin, or PTX that ends in a zero byte.
     *
     * @throws dev.outpost.runtime.cuda.library.CudaException if it is not for this device
     */
    public CudaModule(byte[] image) {
        DriverCheck.check("cuModuleLoadData", JCudaDriver.cuModuleLoadData(module, image));
    }

    /**
     * Returns a kernel of this module.
     *
     * @throws dev.outpost.runtime.cuda.library.CudaException if there is none of that name
     */
    public CudaKernel kernel(String name) {
        CUfunction function = new CUfunction();
        DriverCheck.check("cuModuleGetFunction of " + name, JCudaDriver.cuModuleGetFunction(function, module, name));
        return new CudaKernel(function);
    }

    @Override
    public void close() {
        DriverCheck.check("cuModuleUnload", JCudaDriver.cuModuleUnload(module));
    }
}
