package dev.outpost.gpucheck.gpu;

import dev.outpost.runtime.cuda.compile.Nvrtc;
import dev.outpost.runtime.cuda.driver.CudaContext;
import dev.outpost.runtime.cuda.driver.CudaDevice;
import dev.outpost.runtime.cuda.driver.CudaModule;
import dev.outpost.runtime.cuda.driver.CudaStream;

/** Writes to an address that does not exist. The context, which all engines of the process share, does not survive that. */
final class FaultKernel {
    private static final String NAME = "fault";
    private static final String SOURCE = """
            extern "C" __global__ void fault(long long address) {
                *(float *) address = 1;
            }
            """;
    private static final long NOWHERE = 64;

    private FaultKernel() {}

    /** Nothing that is made here is given back: the driver refuses all calls from then on. */
    static void launch(Nvrtc nvrtc, CudaDevice device) {
        byte[] image = nvrtc.compile(NAME + ".cu", SOURCE, nvrtc.targetFor(device.architecture()));
        CudaContext.open(device);
        new CudaModule(image).kernel(NAME).launch(new CudaStream(), 1, 1, NOWHERE);
    }
}
