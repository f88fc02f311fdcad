package dev.outpost.gpucheck.gpu;

import dev.outpost.runtime.cuda.check.CudaChecks.UsableGpu;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.driver.JcudaGpu;
import dev.outpost.runtime.cuda.engine.CudaEngineProvider;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A GPU on which engines can be opened.
 *
 * @param name the beginning of the name of each of its checks, such as {@code GPU 0}
 * @param model its own name, such as {@code NVIDIA H100 80GB HBM3}
 * @param gpus the number of GPUs of this host
 * @param copyRate the bytes per nanosecond that a copy of the device reads and writes; NaN if it was not measured
 * @param engines opens an engine on it; the caller closes it
 * @param memory begins to watch its memory
 * @param fault makes a kernel write to an address that does not exist; afterwards the GPU computes nothing more in this process
 */
public record GpuUnderCheck(
        String name,
        String model,
        int gpus,
        double copyRate,
        Function<EngineSettings, Engine> engines,
        Supplier<FreeMemory> memory,
        Runnable fault) {

    /** Returns a GPU that CUDA has found. */
    public static GpuUnderCheck of(UsableGpu gpu) {
        return new GpuUnderCheck(
                "GPU " + gpu.device().ordinal(),
                gpu.device().name(),
                gpu.gpus(),
                gpu.copyRate(),
                settings -> CudaEngineProvider.open(gpu.device(), gpu.libraries(), settings),
                () -> new MemoryOfGpu(JcudaGpu.open(gpu.device())),
                () -> FaultKernel.launch(gpu.nvrtc(), gpu.device()));
    }

    /** A view of a GPU's memory from outside of its engines. It keeps the driver's common memory in use. */
    public interface FreeMemory extends AutoCloseable {
        /** Returns the free bytes. */
        long bytes();

        @Override
        void close();
    }

    /** Reads the driver's number. */
    private record MemoryOfGpu(Gpu gpu) implements FreeMemory {
        @Override
        public long bytes() {
            return gpu.freeBytes();
        }

        @Override
        public void close() {
            gpu.close();
        }
    }
}
