package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.runtime.cuda.device.CollectiveLibrary;
import dev.outpost.runtime.cuda.device.Multiplier;
import dev.outpost.runtime.cuda.emulation.EmulatedCollectives;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.cuda.emulation.HostCompiler;
import dev.outpost.runtime.cuda.launch.KernelFolder;
import dev.outpost.runtime.engine.EngineSettings;
import java.nio.file.Path;
import java.util.Optional;

/** Engines over an emulated GPU; tests that need one are skipped if there is no C compiler. */
public final class EmulatedEngines {
    private static final long MEMORY = 1L << 30;
    private static final Path FOLDER = Path.of("target", "emulated-kernels");

    private EmulatedEngines() {}

    public static CudaEngine over(EmulatedGpu gpu) {
        return over(gpu, new NoMultiplier());
    }

    public static CudaEngine over(EmulatedGpu gpu, Multiplier multiplier) {
        return over(gpu, multiplier, FOLDER);
    }

    /**
     * Opens an engine with a library of exchanges between GPUs.
     *
     * @param library its name
     * @param device the name of the engine's GPU
     */
    public static CudaEngine open(EmulatedCollectives.Wire wire, String library, String device) {
        return open(new EmulatedGpu(MEMORY), wire, library, device);
    }

    /** Opens an engine on a GPU of the test. */
    public static CudaEngine open(EmulatedGpu gpu, EmulatedCollectives.Wire wire, String device) {
        return open(gpu, wire, "library 1", device);
    }

    private static CudaEngine open(EmulatedGpu gpu, EmulatedCollectives.Wire wire, String library, String device) {
        return over(gpu, new NoMultiplier(), FOLDER, Optional.of(new EmulatedCollectives(wire, gpu, library, device)));
    }

    private static CudaEngine over(EmulatedGpu gpu, Multiplier multiplier, Path folder) {
        return over(gpu, multiplier, folder, Optional.empty());
    }

    private static CudaEngine over(
            EmulatedGpu gpu, Multiplier multiplier, Path folder, Optional<CollectiveLibrary> library) {
        Optional<HostCompiler> compiler = HostCompiler.find();
        assumeTrue(compiler.isPresent(), "no C compiler on the PATH to run kernels with");
        return new CudaEngine(gpu, compiler.get(), multiplier, Optional.of(new KernelFolder(folder)), library);
    }

    /** Opens an engine with the folder for kernels of the settings. */
    public static CudaEngine open(EngineSettings settings) {
        return over(
                new EmulatedGpu(MEMORY), new NoMultiplier(), settings.kernels().orElse(FOLDER));
    }

    public static CudaEngine open() {
        return over(new EmulatedGpu(MEMORY));
    }
}
