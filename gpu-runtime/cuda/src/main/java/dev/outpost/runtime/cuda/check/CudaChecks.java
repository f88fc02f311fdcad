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
    private final Optional<MoreChecks> more;
    private final List<CheckResult> results = new ArrayList<>();
    private final List<LibrarySearch> searches = new ArrayList<>();
    private int gpus;

    private CudaChecks(List<SearchPlace> places, Optional<MoreChecks> more) {
        this.places = places;
        this.more = more;
    }

    /** The further checks of a GPU, when its engine has been checked. */
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
        return run(places, Optional.empty());
    }

    /** As {@link #run}, and holds the engine on the first GPU to the reference engine, which takes minutes. */
    public static Report runThoroughly(List<SearchPlace> places, MoreChecks more) {
        return run(places, Optional.of(more));
    }

    private static Report run(List<SearchPlace> places, Optional<MoreChecks> more) {
        CudaChecks checks = new CudaChecks(places, more);
        checks.run();
        return new Report(List.copyOf(checks.results), List.copyOf(checks.searches), checks.gpus);
    }

    private void run() {
        Optional<CudaDriver> driver = driver();
        CudaLibraries libraries = new CudaLibraries(places, driver.map(CudaDriver::version));
        LibraryCheck check = new LibraryCheck(results::add);
        Optional<Nvrtc> nvrtc = check.nvrtc(search(libraries, CudaLibrary.NVRTC));
        Optional<CublasLt> cublasLt = check.cublasLt(search(libraries, CudaLibrary.CUBLAS_LT));
        List<CudaDevice> devices = driver.map(CudaDriver::devices).orElse(List.of());
        gpus = devices.size();
        devices.forEach(device -> results.addAll(new GpuSelfTest(device, nvrtc, cublasLt).run()));
        if (more.isPresent() && nvrtc.isPresent() && cublasLt.isPresent() && !devices.isEmpty()) {
            GpuUnderCheck gpu = underCheck(devices.getFirst(), libraries);
            new EngineCheck(gpu, CheckSizes.GPU, copyRate(), results::add).run();
            more.get().run(gpu, results::add);
        }
        if (devices.isEmpty()) {
            results.add(CheckResult.skipped("GPU self test", "no GPU to run it on"));
        }
    }

    private static GpuUnderCheck underCheck(CudaDevice device, CudaLibraries libraries) {
        return new GpuUnderCheck(
                "GPU " + device.ordinal(),
                settings -> CudaEngineProvider.open(device, libraries, settings),
                () -> new MemoryOfGpu(JcudaGpu.open(device)));
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
            results.add(CheckResult.ok(DRIVER, "CUDA " + driver.version() + ", " + driver.file()));
            addDevices(driver.devices());
            return Optional.of(driver);
        } catch (NoDriverException failure) {
            results.add(withoutDriver(failure));
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
        devices.forEach(device -> results.add(CheckResult.ok("GPU " + device.ordinal(), description(device))));
        if (devices.isEmpty()) {
            results.add(CheckResult.absent(
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
