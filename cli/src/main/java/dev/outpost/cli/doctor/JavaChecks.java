package dev.outpost.cli.doctor;

import dev.outpost.runtime.cuda.check.CheckResult;
import dev.outpost.runtime.engine.cpu.BlasProbe;
import dev.outpost.runtime.engine.cpu.Vectors;
import java.lang.module.ModuleFinder;
import java.util.List;

/** The JDK, and what the CPU engine computes with. */
public final class JavaChecks {
    private static final String VECTOR_MODULE = "jdk.incubator.vector";
    private static final String BLAS = "OpenBLAS";
    private static final String VECTOR_API = "Vector API";

    private JavaChecks() {}

    public static List<CheckResult> run() {
        return List.of(jdk(), blas(BlasProbe.run()), vectorApi());
    }

    private static CheckResult jdk() {
        return CheckResult.ok(
                "JDK",
                Runtime.version() + ", " + System.getProperty("java.vendor") + ", " + System.getProperty("java.home"));
    }

    static CheckResult blas(BlasProbe probe) {
        return switch (probe) {
            case RIGHT -> CheckResult.ok(BLAS, "loads and multiplies");
            case WRONG ->
                CheckResult.failed(
                        BLAS, "a small product is wrong", "Set OPENBLAS_CORETYPE=Generic, and report the processor.");
            case MISSING ->
                CheckResult.absent(
                        BLAS,
                        "does not load, products run in Java, many times slower",
                        "Put org.bytedeco:openblas and javacpp for this platform on the class path, and allow native"
                                + " access (--enable-native-access=ALL-UNNAMED).");
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
