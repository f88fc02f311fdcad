package dev.outpost.runtime.engine.cpu.product;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.outpost.runtime.engine.cpu.threads.NativeAccess;
import dev.outpost.types.DType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The binding of OpenBLAS. JavaCPP finds and unpacks the library, and java.lang.foreign calls it on the Java arrays themselves. Such a call
 * delays the garbage collector, so callers keep calls short. The library works on the caller's thread alone. Callers divide products among
 * their own threads.
 */
@SuppressWarnings("restricted")
public final class OpenBlas {
    private static final Logger LOG = LoggerFactory.getLogger(OpenBlas.class);
    private static final int ROW_MAJOR = 101;
    private static final int AS_IS = 111;
    private static final int TRANSPOSED = 112;

    private final MethodHandle sgemm;
    private final MethodHandle dgemm;
    private final SymbolLookup library;
    /**
     * The LAPACK of each dtype. It is created when a matrix is first factored, because linking its many functions
     * takes a tenth of a second.
     */
    private final Map<DType, Lapack> lapack = new ConcurrentHashMap<>();

    private OpenBlas(SymbolLookup library) {
        this.library = library;
        sgemm = gemm(library, "cblas_sgemm", JAVA_FLOAT);
        dgemm = gemm(library, "cblas_dgemm", JAVA_DOUBLE);
    }

    /** Loads the library. Returns empty, and logs a warning, if it cannot be loaded. */
    public static Optional<OpenBlas> load() {
        if (!NativeAccess.isAllowed()) {
            LOG.warn(
                    "OpenBLAS is not used, since this JVM does not allow native access: large matrix products take about"
                            + " ten times as long. Start Java with {}.",
                    NativeAccess.FLAG);
            return Optional.empty();
        }
        try {
            SymbolLookup library = SymbolLookup.libraryLookup(library(), Arena.global());
            OpenBlas blas = new OpenBlas(library);
            // OpenBLAS' threads are switched off, because they spin while they wait for each other, which is costly
            // on shared processors.
            handle(library, "openblas_set_num_threads", FunctionDescriptor.ofVoid(JAVA_INT))
                    .invokeExact(1);
            return Optional.of(blas);
        } catch (Throwable failure) {
            LOG.warn(
                    "OpenBLAS cannot be loaded ({}): matrix products run in Java, many times slower. Put"
                            + " org.bytedeco:openblas and javacpp with the classifier of this platform on the class path.",
                    failure.toString());
            return Optional.empty();
        }
    }

    /**
     * Returns the library's file, which JavaCPP unpacks next to the wrapper that it loads. Opening this file again
     * returns the library that is already loaded.
     */
    private static Path library() throws IOException {
        Path wrapper = Path.of(Loader.load(openblas_nolapack.class));
        try (Stream<Path> files = Files.list(wrapper.getParent())) {
            return files.filter(OpenBlas::isLibrary)
                    .sorted()
                    .findFirst()
                    .orElseThrow(() -> new IOException("no libopenblas lies beside " + wrapper));
        }
    }

    private static boolean isLibrary(Path file) {
        return file.getFileName().toString().matches("libopenblas.*\\.(so|dylib|dll).*");
    }

    /** @param dtype float32 or float64 */
    Lapack lapack(DType dtype) {
        return lapack.computeIfAbsent(dtype, wanted -> new Lapack(library, wanted));
    }

    /** {@code c = factor · a b + kept · c} for float arrays. */
    void floats(int m, int n, int k, float factor, Matrix a, Matrix b, float kept, Matrix c) {
        try {
            sgemm.invokeExact(
                    ROW_MAJOR,
                    transposition(a),
                    transposition(b),
                    m,
                    n,
                    k,
                    factor,
                    a.floats(),
                    a.leading(),
                    b.floats(),
                    b.leading(),
                    kept,
                    c.floats(),
                    c.leading());
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** {@code c = factor · a b + kept · c} for double arrays. */
    void doubles(int m, int n, int k, double factor, Matrix a, Matrix b, double kept, Matrix c) {
        try {
            dgemm.invokeExact(
                    ROW_MAJOR,
                    transposition(a),
                    transposition(b),
                    m,
                    n,
                    k,
                    factor,
                    a.doubles(),
                    a.leading(),
                    b.doubles(),
                    b.leading(),
                    kept,
                    c.doubles(),
                    c.leading());
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static MethodHandle gemm(SymbolLookup library, String name, MemoryLayout number) {
        return handle(
                library,
                name,
                FunctionDescriptor.ofVoid(
                        JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, number, ADDRESS, JAVA_INT, ADDRESS,
                        JAVA_INT, number, ADDRESS, JAVA_INT),
                Linker.Option.critical(true));
    }

    private static MethodHandle handle(
            SymbolLookup library, String name, FunctionDescriptor type, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), type, options);
    }

    private static int transposition(Matrix matrix) {
        return matrix.transposed() ? TRANSPOSED : AS_IS;
    }
}
