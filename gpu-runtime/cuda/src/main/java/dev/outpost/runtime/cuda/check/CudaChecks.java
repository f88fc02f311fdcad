package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.blas.CublasLt;
import dev.outpost.runtime.cuda.compile.Nvrtc;
import dev.outpost.runtime.cuda.driver.CudaDevice;
import dev.outpost.runtime.cuda.driver.CudaDriver;
import dev.outpost.runtime.cuda.driver.NoDriverException;
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

/** Searches the driver, its GPUs and CUDA's libraries, and tests those that it finds. */
public final class CudaChecks {
    private static final String DRIVER = "CUDA driver";
    private static final String GPUS = "GPUs";

    private final List<SearchPlace> places;
    private final Consumer<CheckResult> told;
    private final List<CheckResult> results = new ArrayList<>();
    private final List<LibrarySearch> searches = new ArrayList<>();
    private Optional<UsableGpu> usable = Optional.empty();

    private CudaChecks(List<SearchPlace> places, Consumer<CheckResult> told) {
        this.places = places;
        this.told = told;
    }

    /**
     * The results of the checks.
     *
     * @param results the checks; each builds on earlier ones
     * @param searches the searches for the libraries
     * @param usable the first GPU, if everything that an engine needs was found
     */
    public record Report(List<CheckResult> results, List<LibrarySearch> searches, Optional<UsableGpu> usable) {}

    /**
     * A GPU on which an engine can be opened.
     *
     * @param gpus the number of GPUs of the driver
     * @param copyRate the bytes per nanosecond that a copy on the device reads and writes; NaN if not measured
     */
    public record UsableGpu(CudaDevice device, Nvrtc nvrtc, CudaLibraries libraries, int gpus, double copyRate) {}

    /** Runs the checks with the libraries of these places. Without a GPU, the checks that need one are skipped. */
    public static Report run(List<SearchPlace> places) {
        return run(places, _ -> {});
    }

    /**
     * Runs the checks like {@link #run(List)}.
     *
     * @param told receives each result immediately, on the calling thread
     */
    public static Report run(List<SearchPlace> places, Consumer<CheckResult> told) {
        CudaChecks checks = new CudaChecks(places, told);
        checks.run();
        return new Report(List.copyOf(checks.results), List.copyOf(checks.searches), checks.usable);
    }

    private void run() {
        Optional<CudaDriver> driver = driver();
        CudaLibraries libraries = new CudaLibraries(places, driver.map(CudaDriver::version));
        LibraryCheck check = new LibraryCheck(this::add);
        Optional<Nvrtc> nvrtc = check.nvrtc(search(libraries, CudaLibrary.NVRTC));
        Optional<CublasLt> cublasLt = check.cublasLt(search(libraries, CudaLibrary.CUBLAS_LT));
        List<CudaDevice> devices = driver.map(CudaDriver::devices).orElse(List.of());
        devices.forEach(device -> new GpuSelfTest(device, nvrtc, cublasLt, this::add).run());
        if (devices.isEmpty()) {
            add(CheckResult.skipped("GPU self test", "no GPU to run it on"));
        } else if (nvrtc.isPresent() && cublasLt.isPresent()) {
            usable = Optional.of(new UsableGpu(devices.getFirst(), nvrtc.get(), libraries, devices.size(), copyRate()));
        }
    }

    private void add(CheckResult result) {
        results.add(result);
        told.accept(result);
    }

    /** Returns the copy rate that the self test of the first GPU measured. */
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
        devices.forEach(device -> add(CheckResult.ok("GPU " + device.ordinal(), description(device))));
        if (devices.isEmpty()) {
            add(CheckResult.absent(
                    GPUS,
                    "the driver has none",
                    "Check whether nvidia-smi lists one, and the value of CUDA_VISIBLE_DEVICES."));
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
