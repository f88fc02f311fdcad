package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.blas.CublasLt;
import dev.outpost.runtime.cuda.blas.MatrixType;
import dev.outpost.runtime.cuda.compile.Nvrtc;
import dev.outpost.runtime.cuda.driver.CudaContext;
import dev.outpost.runtime.cuda.driver.CudaDevice;
import dev.outpost.runtime.cuda.driver.CudaStream;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs computations with known results on a GPU, and measures their speed. */
record GpuSelfTest(
        CudaDevice device, Optional<Nvrtc> nvrtc, Optional<CublasLt> cublasLt, Consumer<CheckResult> results) {
    private static final String REMEDY =
            "See whether the GPU is healthy and has memory left (nvidia-smi), and try libraries of the driver's own major.";

    private static final int FIRST_WITH_BFLOAT16 = 80;

    /** Reports one result for each step. After a failed step the other steps still run. */
    void run() {
        try (CudaContext context = CudaContext.open(device);
                CudaStream stream = new CudaStream()) {
            step("copies", () -> CopyTest.run(stream));
            stepWith(nvrtc, "runs a kernel", compiler -> KernelTest.run(compiler, context.device(), stream));
            for (MatrixType type : MatrixType.values()) {
                multiply(type, stream);
            }
        } catch (RuntimeException failure) {
            results.accept(CheckResult.failed(name("opens and closes"), failure.getMessage(), REMEDY));
        }
    }

    private void multiply(MatrixType type, CudaStream stream) {
        String what = "multiplies " + type.name().toLowerCase(Locale.ROOT);
        if (type == MatrixType.BFLOAT16 && device.architecture() < FIRST_WITH_BFLOAT16) {
            results.accept(CheckResult.skipped(name(what), "the GPU is older than bfloat16"));
        } else {
            stepWith(cublasLt, what, library -> ProductTest.run(library, type, stream));
        }
    }

    private <T> void stepWith(Optional<T> library, String what, Function<T, CheckMeasurement> work) {
        if (library.isPresent()) {
            step(what, () -> work.apply(library.get()));
        } else {
            results.accept(CheckResult.skipped(name(what), "its library is not there"));
        }
    }

    private void step(String what, Supplier<CheckMeasurement> work) {
        try {
            CheckMeasurement measurement = work.get();
            results.accept(CheckResult.ok(name(what), measurement.detail(), measurement.figures()));
        } catch (RuntimeException failure) {
            results.accept(CheckResult.failed(name(what), failure.getMessage(), REMEDY));
        }
    }

    private String name(String what) {
        return "GPU " + device.ordinal() + " " + what;
    }
}
