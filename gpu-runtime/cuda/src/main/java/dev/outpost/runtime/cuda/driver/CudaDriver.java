package dev.outpost.runtime.cuda.driver;

import dev.outpost.runtime.cuda.library.CudaException;
import dev.outpost.runtime.cuda.library.CudaVersion;
import dev.outpost.runtime.cuda.library.DynamicLoader;
import dev.outpost.runtime.cuda.library.LibraryLoadException;
import dev.outpost.runtime.cuda.library.LoadedLibrary;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/**
 * The initialised driver of this machine.
 *
 * @param file the file from which libcuda.so.1 was loaded
 * @param version the newest CUDA that it supports
 * @param devices the GPUs that this process may use; empty if there is a driver but no GPU
 */
public record CudaDriver(Path file, CudaVersion version, List<CudaDevice> devices) {
    /** The paths of the driver. Container runtimes and WSL install it in places that the loader does not search. */
    private static final List<String> FILES =
            List.of("libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1");

    /**
     * Loads and initialises the driver.
     *
     * @throws NoDriverException if it is missing or does not work
     */
    public static CudaDriver load() throws NoDriverException {
        // JCuda's class cannot be initialised without the library, and a failed initialisation cannot be repeated.
        LoadedLibrary library = loadLibrary();
        try {
            return new CudaDriver(library.file(), readVersion(), listDevices());
        } catch (CudaException failure) {
            throw NoDriverException.broken(failure.getMessage(), failure);
        } catch (LinkageError failure) {
            throw NoDriverException.broken("JCuda's native library does not load: " + failure.getMessage(), failure);
        }
    }

    static LoadedLibrary loadLibrary() throws NoDriverException {
        for (String file : FILES) {
            try {
                return DynamicLoader.load(file);
            } catch (LibraryLoadException failure) {
                if (!failure.isMissing()) {
                    throw NoDriverException.broken(failure.getMessage(), failure);
                }
            }
        }
        throw NoDriverException.missing();
    }

    private static CudaVersion readVersion() {
        int[] version = {0};
        DriverCheck.check("cuDriverGetVersion", JCudaDriver.cuDriverGetVersion(version));
        return CudaVersion.ofDriver(version[0]);
    }

    private static List<CudaDevice> listDevices() {
        int initialised = JCudaDriver.cuInit(0);
        if (initialised == CUresult.CUDA_ERROR_NO_DEVICE) {
            return List.of();
        }
        DriverCheck.check("cuInit", initialised);
        int[] count = {0};
        DriverCheck.check("cuDeviceGetCount", JCudaDriver.cuDeviceGetCount(count));
        return IntStream.range(0, count[0]).mapToObj(CudaDevice::of).toList();
    }
}
