package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.cuda.code.CudaSource;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.KernelCompiler;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Caches loaded kernels by their source. The least recently used ones are dropped. Kernels are looked up under the engine's lock and
 * compiled without it. If a kernel is missing, the lookup throws {@link MissingException}, and the caller compiles the kernel and starts
 * its work again.
 */
public final class KernelCache {
    /** Thrown if a source is not compiled yet. The work starts again, so the exception needs no stack trace. */
    public static final class MissingException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient CudaSource source;

        private MissingException(CudaSource source) {
            super("a kernel is not compiled yet", null, false, false);
            this.source = source;
        }

        public CudaSource source() {
            return source;
        }
    }

    private static final class Loaded {
        final Gpu.DeviceCode code;
        final Map<String, Gpu.DeviceKernel> kernels = new HashMap<>();

        Loaded(Gpu.DeviceCode code) {
            this.code = code;
        }
    }

    private final Gpu gpu;
    private final KernelCompiler compiler;
    private final Optional<KernelFolder> folder;
    private final int max;
    private final Map<CudaSource, Loaded> loaded = new LinkedHashMap<>(64, 0.75f, true);
    private BooleanSupplier mayUnload = () -> true;
    private boolean isKept;
    /** Compiled code that the next lookup loads. */
    private final Map<CudaSource, byte[]> compiled = new ConcurrentHashMap<>();
    /** The sources that are being compiled. The future's result is true if the compilation succeeded. */
    private final Map<CudaSource, CompletableFuture<Boolean>> compiling = new ConcurrentHashMap<>();

    /** @param max the number of sources whose kernels stay loaded */
    public KernelCache(Gpu gpu, KernelCompiler compiler, Optional<KernelFolder> folder, int max) {
        this.gpu = gpu;
        this.compiler = compiler;
        this.folder = folder;
        this.max = max;
    }

    /**
     * Returns a loaded kernel. Called under the engine's lock.
     *
     * @throws MissingException if its source has to be compiled first
     */
    public Gpu.DeviceKernel kernel(CudaSource source, String name) {
        Loaded code = loaded.get(source);
        byte[] image = compiled.isEmpty() ? null : compiled.remove(source);
        if (code == null) {
            if (image == null || isKept) {
                keepCompiled(source, image);
                throw new MissingException(source);
            }
            code = load(source, image);
        }
        return code.kernels.computeIfAbsent(name, code.code::kernel);
    }

    private void keepCompiled(CudaSource source, byte[] image) {
        if (image != null) {
            compiled.putIfAbsent(source, image);
        }
    }

    private Loaded load(CudaSource source, byte[] image) {
        Loaded code = new Loaded(gpu.load(image));
        loaded.put(source, code);
        dropOldest();
        return code;
    }

    /**
     * Sets whether code is kept as it is. If so, a lookup loads and unloads no code, and throws for kernels that are not loaded. Called
     * under the engine's lock.
     */
    void keep(boolean isKept) {
        this.isKept = isKept;
    }

    /** Loads all compiled code. Called under the engine's lock. */
    void loadCompiled() {
        for (CudaSource source : List.copyOf(compiled.keySet())) {
            byte[] image = compiled.remove(source);
            if (image != null && !loaded.containsKey(source)) {
                load(source, image);
            }
        }
    }

    /** Sets the condition that is checked before code is unloaded. While it is false, all code stays loaded. */
    public void beforeUnloading(BooleanSupplier asked) {
        mayUnload = asked;
    }

    /**
     * Compiles a source, or waits until another thread has compiled it. Not called under the engine's lock. Does not compile within
     * {@code computeIfAbsent}, which would also block lookups of other sources in the same bin.
     */
    public void compile(CudaSource source) {
        CompletableFuture<Boolean> own = new CompletableFuture<>();
        CompletableFuture<Boolean> others = compiling.putIfAbsent(source, own);
        if (others != null) {
            if (!others.join()) {
                compile(source);
            }
            return;
        }
        boolean isThere = false;
        try {
            if (!compiled.containsKey(source)) {
                compiled.put(source, code(source.text()));
            }
            isThere = true;
        } finally {
            compiling.remove(source);
            own.complete(isThere);
        }
    }

    private byte[] code(String text) {
        return folder.map(kept -> kept.get(compiler.identity(), text, () -> compiler.compile(text)))
                .orElseGet(() -> compiler.compile(text));
    }

    private void dropOldest() {
        if (loaded.size() > max && mayUnload.getAsBoolean()) {
            var eldest = loaded.entrySet().iterator();
            eldest.next().getValue().code.unload();
            eldest.remove();
        }
    }
}
