package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.blas.CublasLt;
import dev.outpost.runtime.cuda.compile.Nvrtc;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.driver.CudaDevice;
import dev.outpost.runtime.cuda.driver.CudaDriver;
import dev.outpost.runtime.cuda.driver.JcudaGpu;
import dev.outpost.runtime.cuda.driver.NoDriverException;
import dev.outpost.runtime.cuda.engine.CudaEngineProvider;
import dev.outpost.runtime.cuda.library.CudaLibraries;
import dev.outpost.runtime.cuda.library.CudaLibrary;
import dev.outpost.runtime.cuda.library.LibrarySearch;
import dev.outpost.runtime.cuda.library.SearchPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Looks for the driver, its GPUs and CUDA's libraries, and tries what is there. */
public final class CudaChecks {
    private static final String DRIVER = "CUDA driver";
    private static final String GPUS = "GPUs";

    private final List<SearchPlace> places;
    private final Optional<MoreChecks> thorough;
    private final Consumer<CheckResult> told;
    private final List<CheckResult> results = new ArrayList<>();
    private final List<LibrarySearch> searches = new ArrayList<>();
    private int gpus;

    private CudaChecks(List<SearchPlace> places, Optional<MoreChecks> thorough, Consumer<CheckResult> told) {
        this.places = places;
        this.thorough = thorough;
        this.told = told;
    }

    /** The further checks of a GPU, once its self test has run. */
    @FunctionalInterface
    public interface MoreChecks {
        void run(GpuUnderCheck gpu, Consumer<CheckResult> results);
    }

    /**
     * The results of the checks.
     *
     * @param results the checks, in the order in which they build on each other
     * @param searches where the libraries were looked for
     * @param gpus how many the driver has
     */
    public record Report(List<CheckResult> results, List<LibrarySearch> searches, int gpus) {}

    /** Checks with the libraries of these places; without a GPU what needs one is skipped. */
    public static Report run(List<SearchPlace> places) {
        return run(new CudaChecks(places, Optional.empty(), _ -> {}));
    }

    /**
     * As {@link #run}, with more checks of the first GPU where that and all libraries are there.
     *
     * @param told takes each result as soon as it is there, on the thread that calls
     */
    public static Report runThoroughly(List<SearchPlace> places, MoreChecks thorough, Consumer<CheckResult> told) {
        return run(new CudaChecks(places, Optional.of(thorough), told));
    }

    private static Report run(CudaChecks checks) {
        checks.run();
        return new Report(List.copyOf(checks.results), List.copyOf(checks.searches), checks.gpus);
    }

    private void run() {
        Optional<CudaDriver> driver = driver();
        CudaLibraries libraries = new CudaLibraries(places, driver.map(CudaDriver::version));
        LibraryCheck check = new LibraryCheck(this::add);
        Optional<Nvrtc> nvrtc = check.nvrtc(search(libraries, CudaLibrary.NVRTC));
        Optional<CublasLt> cublasLt = check.cublasLt(search(libraries, CudaLibrary.CUBLAS_LT));
        List<CudaDevice> devices = driver.map(CudaDriver::devices).orElse(List.of());
        gpus = devices.size();
        devices.forEach(device -> new GpuSelfTest(device, nvrtc, cublasLt, this::add).run());
        if (thorough.isPresent() && nvrtc.isPresent() && cublasLt.isPresent() && !devices.isEmpty()) {
            thorough.get().run(underCheck(devices.getFirst(), nvrtc.get(), libraries), this::add);
        }
        if (devices.isEmpty()) {
            add(CheckResult.skipped("GPU self test", "no GPU to run it on"));
        }
    }

    private void add(CheckResult result) {
        results.add(result);
        told.accept(result);
    }

    private GpuUnderCheck underCheck(CudaDevice device, Nvrtc nvrtc, CudaLibraries libraries) {
        return new GpuUnderCheck(
                "GPU " + device.ordinal(),
                device.name(),
                gpus,
                copyRate(),
                settings -> CudaEngineProvider.open(device, libraries, settings),
                () -> new MemoryOfGpu(JcudaGpu.open(device)),
                () -> FaultKernel.launch(nvrtc, device));
    }

    /** By the driver. */
    private record MemoryOfGpu(Gpu gpu) implements GpuUnderCheck.FreeMemory {
        @Override
        public long bytes() {
            return gpu.freeBytes();
        }

        @Override
        public void close() {
            gpu.close();
        }
    }

    /** The copy rate that the self test of the first GPU measured. */
    private double copyRate() {
        return results.stream()
                .map(result -> result.figures().get(CopyTest.RATE))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(Double.NaN);
    }

    private LibrarySearch search(CudaLibraries libraries, CudaLibrary library) {
        LibrarySearch search = libraries.find(library);
        searches.add(search);
        return search;
    }

    private Optional<CudaDriver> driver() {
        try {
            CudaDriver driver = CudaDriver.load();
            add(CheckResult.ok(DRIVER, "CUDA " + driver.version() + ", " + driver.file()));
            addDevices(driver.devices());
            return Optional.of(driver);
        } catch (NoDriverException failure) {
            add(withoutDriver(failure));
            return Optional.empty();
        }
    }

    private static CheckResult withoutDriver(NoDriverException failure) {
        return failure.isMissing()
                ? CheckResult.absent(DRIVER, failure.problem(), failure.remedy())
                : CheckResult.failed(DRIVER, failure.problem(), failure.remedy());
    }

    private void addDevices(List<CudaDevice> devices) {
        gpus = devices.size();
        devices.forEach(device -> add(CheckResult.ok("GPU " + device.ordinal(), description(device))));
        if (devices.isEmpty()) {
            add(CheckResult.absent(
                    GPUS,
                    "the driver has none",
                    "See whether nvidia-smi lists one, and what CUDA_VISIBLE_DEVICES says."));
        }
    }

    private static String description(CudaDevice device) {
        return String.format(
                Locale.ROOT,
                "%s, compute capability %s, %.1f GiB, %d multiprocessors",
                device.name(),
                device.computeCapability(),
                device.memory() / (double) (1L << 30),
                device.multiprocessors());
    }
}
