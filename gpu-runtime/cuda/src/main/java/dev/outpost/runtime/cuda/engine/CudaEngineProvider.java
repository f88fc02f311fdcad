package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.blas.CublasLt;
import dev.outpost.runtime.cuda.blas.CublasLtMultiplier;
import dev.outpost.runtime.cuda.compile.Nvrtc;
import dev.outpost.runtime.cuda.compile.NvrtcCompiler;
import dev.outpost.runtime.cuda.device.CollectiveLibrary;
import dev.outpost.runtime.cuda.driver.CudaDevice;
import dev.outpost.runtime.cuda.driver.CudaDriver;
import dev.outpost.runtime.cuda.driver.JcudaGpu;
import dev.outpost.runtime.cuda.driver.NoDriverException;
import dev.outpost.runtime.cuda.launch.KernelFolder;
import dev.outpost.runtime.cuda.library.CudaException;
import dev.outpost.runtime.cuda.library.CudaLibraries;
import dev.outpost.runtime.cuda.library.CudaLibrary;
import dev.outpost.runtime.cuda.library.LibrarySearch;
import dev.outpost.runtime.cuda.library.LoadedLibrary;
import dev.outpost.runtime.cuda.library.SearchPlace;
import dev.outpost.runtime.cuda.library.SearchPlaces;
import dev.outpost.runtime.cuda.nccl.Nccl;
import dev.outpost.runtime.cuda.nccl.NcclLibrary;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineProvider;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.engine.EngineUnavailableException;
import java.util.List;
import java.util.Optional;

/** Opens the engine on the first GPU that this process may use, or explains what is missing. */
public final class CudaEngineProvider implements EngineProvider {
    @Override
    public String name() {
        return "cuda";
    }

    @Override
    public Engine open(EngineSettings settings) {
        return open(driver(), SearchPlaces.here(), settings);
    }

    /** Opens the engine with the libraries of the given places. */
    static Engine open(CudaDriver driver, List<SearchPlace> places, EngineSettings settings) {
        if (driver.devices().isEmpty()) {
            throw new EngineUnavailableException(
                    "cuda: the driver has no GPU",
                    "Check whether nvidia-smi lists one, and the value of CUDA_VISIBLE_DEVICES.");
        }
        CudaLibraries libraries = new CudaLibraries(places, Optional.of(driver.version()));
        return open(driver.devices().getFirst(), libraries, settings);
    }

    private static CudaDriver driver() {
        try {
            return CudaDriver.load();
        } catch (NoDriverException failure) {
            throw new EngineUnavailableException("cuda: " + failure.problem(), failure.remedy());
        }
    }

    /**
     * Opens the engine on a device.
     *
     * @throws EngineUnavailableException if a library is missing or the device does not start
     */
    public static Engine open(CudaDevice device, CudaLibraries libraries, EngineSettings settings) {
        Nvrtc nvrtc = new Nvrtc(library(libraries, CudaLibrary.NVRTC));
        CublasLt blas = new CublasLt(library(libraries, CudaLibrary.CUBLAS_LT));
        NvrtcCompiler compiler = compiler(nvrtc, device);
        Optional<KernelFolder> folder = settings.kernels().map(KernelFolder::new);
        try {
            JcudaGpu gpu = JcudaGpu.open(device);
            Optional<CollectiveLibrary> collectives =
                    Nccl.find().map(nccl -> NcclLibrary.of(nccl, gpu, settings.exchangeGraphs()));
            return new CudaEngine(gpu, compiler, multiplier(blas, gpu, settings), folder, collectives);
        } catch (CudaException failure) {
            throw new EngineUnavailableException(
                    "cuda: the GPU does not start, " + failure.getMessage(),
                    "See whether it is healthy and has memory left (nvidia-smi).");
        }
    }

    private static CublasLtMultiplier multiplier(CublasLt blas, JcudaGpu gpu, EngineSettings settings) {
        try {
            return new CublasLtMultiplier(blas, gpu.context(), gpu.stream(), settings.shortProducts());
        } catch (CudaException failure) {
            gpu.close();
            throw failure;
        }
    }

    private static NvrtcCompiler compiler(Nvrtc nvrtc, CudaDevice device) {
        try {
            return new NvrtcCompiler(nvrtc, nvrtc.targetFor(device.architecture()));
        } catch (IllegalArgumentException failure) {
            throw new EngineUnavailableException("cuda: " + failure.getMessage(), "Use an image with an older CUDA.");
        }
    }

    private static LoadedLibrary library(CudaLibraries libraries, CudaLibrary library) {
        LibrarySearch search = libraries.find(library);
        return search.found()
                .orElseThrow(() -> new EngineUnavailableException(
                        "cuda: " + library.title() + " was not found"
                                + (search.rejected().isEmpty() ? "" : ", " + String.join(", ", search.rejected())),
                        "Use an image with CUDA's libraries of the driver's major version, or set their folder by "
                                + SearchPlaces.ENVIRONMENT + "; ./outpost doctor shows where it searched."));
    }
}
