package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.code.Source;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.KernelCompiler;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Loaded kernels by their source; those that were asked for least recently are dropped. Used under the engine's lock. */
final class KernelCache {
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
    private final int most;
    private final Map<Source, Loaded> loaded = new LinkedHashMap<>(64, 0.75f, true);

    /** @param most how many sources' kernels stay loaded */
    KernelCache(Gpu gpu, KernelCompiler compiler, Optional<KernelFolder> folder, int most) {
        this.gpu = gpu;
        this.compiler = compiler;
        this.folder = folder;
        this.most = most;
    }

    Gpu.DeviceKernel kernel(Source source, String name) {
        Loaded code = loaded.get(source);
        if (code == null) {
            code = new Loaded(gpu.load(compile(source)));
            loaded.put(source, code);
            dropOldest();
        }
        return code.kernels.computeIfAbsent(name, code.code::kernel);
    }

    private byte[] compile(Source source) {
        return folder.map(kept -> kept.get(
                        compiler.identity(), source.text(), () -> compiler.compile(source.text())))
                .orElseGet(() -> compiler.compile(source.text()));
    }

    private void dropOldest() {
        if (loaded.size() > most) {
            var eldest = loaded.entrySet().iterator();
            eldest.next().getValue().code.unload();
            eldest.remove();
        }
    }

    int size() {
        return loaded.size();
    }
}
