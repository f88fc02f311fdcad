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
 * Loaded kernels by their source; those that were asked for least recently are dropped. Kernels are looked up under the
 * engine's lock and compiled outside of it: one that is missing is told by an exception, and whoever was about to launch it
 * begins again once it is there.
 */
public final class KernelCache {
    /** There is no code for a source yet. Thrown where work begins anew, so it needs no trace. */
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
    /** Compiled, and to be loaded by who asks next. */
    private final Map<CudaSource, byte[]> compiled = new ConcurrentHashMap<>();
    /** The sources that are being compiled; the answer is whether they were. */
    private final Map<CudaSource, CompletableFuture<Boolean>> compiling = new ConcurrentHashMap<>();

    /** @param max how many sources' kernels stay loaded */
    public KernelCache(Gpu gpu, KernelCompiler compiler, Optional<KernelFolder> folder, int max) {
        this.gpu = gpu;
        this.compiler = compiler;
        this.folder = folder;
        this.max = max;
    }

    /**
     * A loaded kernel; under the engine's lock.
     *
     * @throws MissingException if its source is to be compiled first
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

    /** Whether what is loaded stays as it is, and what is not is missing; under the engine's lock. */
    void keep(boolean isKept) {
        this.isKept = isKept;
    }

    /** Loads all that was compiled; under the engine's lock. */
    void loadCompiled() {
        for (CudaSource source : List.copyOf(compiled.keySet())) {
            byte[] image = compiled.remove(source);
            if (image != null && !loaded.containsKey(source)) {
                load(source, image);
            }
        }
    }

    /** Says what is asked before code is unloaded. Where the answer is no, all stays loaded for now. */
    public void beforeUnloading(BooleanSupplier asked) {
        mayUnload = asked;
    }

    /**
     * Compiles a source, or waits until somebody else has; not under the engine's lock. Not within the map's own
     * {@code computeIfAbsent}: who looks for another source whose hash falls near would wait as well.
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
