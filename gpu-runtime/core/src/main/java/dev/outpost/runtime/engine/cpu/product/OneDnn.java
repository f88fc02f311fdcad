package dev.outpost.runtime.engine.cpu.product;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.outpost.runtime.engine.cpu.threads.NativeAccess;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Optional;
import org.bytedeco.javacpp.Loader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The binding of oneDNN's product of float matrices. The library generates kernels for the processor of the machine. With AVX-512 it is
 * 1.2 to 2.5 times as fast as OpenBLAS, except for the smallest and the narrowest products. Works on the caller's thread alone.
 */
@SuppressWarnings("restricted")
final class OneDnn {
    private static final Logger LOG = LoggerFactory.getLogger(OneDnn.class);
    private static final String FOLDER = "/org/bytedeco/dnnl/" + Loader.getPlatform() + "/";
    private static final String LIBRARY = "libdnnl.so.3";
    /** The library's number ({@code dnnl_cpu_isa_t}) of the processors on which oneDNN was measured to be faster. */
    private static final int AVX512 = 0x27;
    /**
     * The first minor version of oneDNN 3 that is safe. Kernels before 3.12 keep a heap address in the stack
     * register. The handler of a signal that arrives then, for example from a profiler, uses that address as its
     * stack and overwrites the memory below it (oneDNN issue 4845).
     */
    private static final int MIN_MINOR = 12;
    /**
     * The number of multiplications from which oneDNN takes at most half of OpenBLAS' time. For smaller products,
     * OpenBLAS has less overhead.
     */
    private static final long MIN = 1L << 15;
    /** The number of columns or terms below which OpenBLAS takes half of oneDNN's time. */
    private static final int NARROW = 8;

    /**
     * The maximum number of terms that are summed in one call. The library cuts longer sums at places that depend on
     * the height. So this class divides longer sums, at places that depend only on their length.
     */
    private static final int MAX_TERMS = 768;

    /**
     * Loads the library at its first use. So the library neither delays the start nor takes memory in a process that
     * multiplies no large matrices.
     */
    private static final class WhenWanted {
        static final Optional<OneDnn> LIBRARY = load();
    }

    private final MethodHandle sgemm;
    private final MethodHandle setThreads;

    private OneDnn(SymbolLookup library) {
        sgemm = handle(
                library,
                "dnnl_sgemm",
                FunctionDescriptor.of(
                        JAVA_INT,
                        JAVA_BYTE,
                        JAVA_BYTE,
                        JAVA_LONG,
                        JAVA_LONG,
                        JAVA_LONG,
                        JAVA_FLOAT,
                        ADDRESS,
                        JAVA_LONG,
                        ADDRESS,
                        JAVA_LONG,
                        JAVA_FLOAT,
                        ADDRESS,
                        JAVA_LONG),
                Linker.Option.critical(true));
        setThreads = handle(
                library, "omp_set_num_threads", FunctionDescriptor.ofVoid(JAVA_INT), Linker.Option.critical(false));
    }

    /**
     * Returns the library, which the first call loads. Returns empty if it cannot be loaded, or if it is not known to
     * be faster on this processor.
     */
    static Optional<OneDnn> library() {
        return WhenWanted.LIBRARY;
    }

    private static Optional<OneDnn> load() {
        if (!NativeAccess.isAllowed() || OneDnn.class.getResource(FOLDER + LIBRARY) == null) {
            return Optional.empty();
        }
        try {
            SymbolLookup library = SymbolLookup.libraryLookup(unpacked(), Arena.global());
            MethodHandle isa = handle(library, "dnnl_get_effective_cpu_isa", FunctionDescriptor.of(JAVA_INT));
            boolean isOfUse = checkVersion(library) && ((int) isa.invokeExact() & AVX512) == AVX512;
            return isOfUse ? Optional.of(new OneDnn(library)) : Optional.empty();
        } catch (Throwable failure) {
            LOG.info("oneDNN cannot be loaded ({}): OpenBLAS computes all products.", failure.toString());
            return Optional.empty();
        }
    }

    private static boolean checkVersion(SymbolLookup library) throws Throwable {
        MemorySegment version = (MemorySegment)
                handle(library, "dnnl_version", FunctionDescriptor.of(ADDRESS)).invokeExact();
        int minor = version.reinterpret(2 * JAVA_INT.byteSize()).getAtIndex(JAVA_INT, 1);
        if (minor < MIN_MINOR) {
            LOG.warn("oneDNN 3.{} is not used, since signals corrupt memory: 3.{} is the first.", minor, MIN_MINOR);
        }
        return minor >= MIN_MINOR;
    }

    /** Unpacks the library, together with the thread library to which it is linked. */
    private static Path unpacked() throws IOException {
        Loader.cacheResource(OneDnn.class, FOLDER + "libgomp.so.1");
        File library = Loader.cacheResource(OneDnn.class, FOLDER + LIBRARY);
        if (library == null) {
            throw new IOException(FOLDER + LIBRARY + " cannot be unpacked");
        }
        return library.toPath();
    }

    /** Returns true if oneDNN is faster for that size. The answer depends only on the size, so that the bits do too. */
    static boolean isFor(int m, int n, int k) {
        return n >= NARROW && k >= NARROW && (long) m * n * k >= MIN;
    }

    /** {@code c = factor · a b + kept · c}. */
    void multiply(int m, int n, int k, float factor, Matrix a, Matrix b, float kept, Matrix c) {
        int pieces = Math.ceilDiv(k, MAX_TERMS);
        for (int piece = 0; piece < pieces; piece++) {
            int from = (int) ((long) k * piece / pieces);
            int terms = (int) ((long) k * (piece + 1) / pieces) - from;
            call(m, n, terms, factor, a.from(0, from), b.from(from, 0), piece == 0 ? kept : 1, c);
        }
    }

    private void call(int m, int n, int k, float factor, Matrix a, Matrix b, float kept, Matrix c) {
        int status;
        try {
            // This setting applies only to the calling thread, and many threads make calls.
            setThreads.invokeExact(1);
            status = (int) sgemm.invokeExact(
                    transposition(a),
                    transposition(b),
                    (long) m,
                    (long) n,
                    (long) k,
                    factor,
                    a.floats(),
                    (long) a.leading(),
                    b.floats(),
                    (long) b.leading(),
                    kept,
                    c.floats(),
                    (long) c.leading());
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
        if (status != 0) {
            throw new IllegalStateException("dnnl_sgemm answered " + status + " for " + m + ", " + n + ", " + k);
        }
    }

    private static byte transposition(Matrix matrix) {
        return (byte) (matrix.transposed() ? 'T' : 'N');
    }

    private static MethodHandle handle(
            SymbolLookup library, String name, FunctionDescriptor type, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), type, options);
    }
}
