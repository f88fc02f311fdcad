package dev.outpost.gpucheck.gpu;

import dev.outpost.runtime.cuda.compile.Nvrtc;
import dev.outpost.runtime.cuda.driver.CudaContext;
import dev.outpost.runtime.cuda.driver.CudaDevice;
import dev.outpost.runtime.cuda.driver.CudaModule;
import dev.outpost.runtime.cuda.driver.CudaStream;

/** Writes to an address that does not exist. This destroys the context, which all engines of the process share. */
final class FaultKernel {
    private static final String NAME = "fault";
    private static final String SOURCE = """
            extern "C" __global__ void fault(long long address) {
                *(float *) address = 1;
            }
            """;
    private static final long NOWHERE = 64;

    private FaultKernel() {}

    /** Releases nothing, because the driver refuses all later calls. */
    static void launch(Nvrtc nvrtc, CudaDevice device) {
        byte[] image = nvrtc.compile(NAME + ".cu", SOURCE, nvrtc.targetFor(device.architecture()));
        CudaContext.open(device);
        new CudaModule(image).kernel(NAME).launch(new CudaStream(), 1, 1, NOWHERE);
    }
}
