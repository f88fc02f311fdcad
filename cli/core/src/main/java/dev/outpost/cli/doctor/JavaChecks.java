package dev.outpost.cli.doctor;

import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.engine.cpu.product.BlasProbe;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import java.lang.module.ModuleFinder;
import java.util.List;

/** Checks the JDK, and the libraries of the CPU engine. */
public final class JavaChecks {
    private static final String VECTOR_MODULE = "jdk.incubator.vector";
    private static final String OPENBLAS = "OpenBLAS";
    private static final String ONEDNN = "oneDNN";
    private static final String VECTOR_API = "Vector API";

    private JavaChecks() {}

    public static List<CheckResult> run() {
        return List.of(jdk(), openBlas(BlasProbe.openBlas()), oneDnn(BlasProbe.oneDnn()), vectorApi());
    }

    private static CheckResult jdk() {
        return CheckResult.ok(
                "JDK",
                Runtime.version() + ", " + System.getProperty("java.vendor") + ", " + System.getProperty("java.home"));
    }

    private static CheckResult openBlas(BlasProbe probe) {
        return switch (probe) {
            case RIGHT -> CheckResult.ok(OPENBLAS, "loads and multiplies");
            case WRONG ->
                CheckResult.failed(
                        OPENBLAS, "a product is wrong", "Set OPENBLAS_CORETYPE=Generic, and report the processor.");
            case MISSING ->
                CheckResult.absent(
                        OPENBLAS,
                        "does not load, products run in Java, many times slower",
                        "Put org.bytedeco:openblas and javacpp for this platform on the class path, and allow native"
                                + " access (--enable-native-access=ALL-UNNAMED).");
        };
    }

    private static CheckResult oneDnn(BlasProbe probe) {
        return switch (probe) {
            case RIGHT -> CheckResult.ok(ONEDNN, "loads and multiplies");
            case WRONG ->
                CheckResult.failed(
                        ONEDNN,
                        "a product is wrong",
                        "Take org.bytedeco:dnnl off the class path, and report the processor.");
            case MISSING ->
                CheckResult.absent(
                        ONEDNN,
                        "not in use, OpenBLAS multiplies large matrices of floats, too",
                        "Nothing is needed: ./outpost computes by OpenBLAS. A project of its own for a processor with AVX-512 may add"
                                + " org.bytedeco:dnnl for its platform, as docs/artefacts.md shows.");
        };
    }

    private static CheckResult vectorApi() {
        if (ModuleFinder.ofSystem().find(VECTOR_MODULE).isEmpty()) {
            return CheckResult.absent(
                    VECTOR_API,
                    "not in this JDK, exponentials and their like are computed one at a time",
                    "Use a full JDK, which holds " + VECTOR_MODULE + ".");
        }
        return Vectors.arePresent()
                ? CheckResult.ok(VECTOR_API, "in use")
                : CheckResult.absent(
                        VECTOR_API,
                        "not in use, exponentials and their like are computed one at a time",
                        "Start the JVM with --add-modules " + VECTOR_MODULE + ".");
    }
}
