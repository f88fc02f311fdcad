package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.device.KernelCompiler;
import dev.outpost.runtime.cuda.emulation.IdleGpu;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Collects the sources that it gets to compile, in the order of their first occurrence. */
public final class SourceCollector implements KernelCompiler {
    private final Set<String> sources = new LinkedHashSet<>();

    /** Creates an engine whose sources are collected, over a GPU that computes nothing. */
    public CudaEngine engine() {
        return engine(new IdleGpu());
    }

    CudaEngine engine(IdleGpu gpu) {
        return new CudaEngine(gpu, this, new NoMultiplier(), Optional.empty());
    }

    public List<String> sources() {
        return List.copyOf(sources);
    }

    @Override
    public String identity() {
        return "collector";
    }

    @Override
    public byte[] compile(String source) {
        sources.add(source);
        return new byte[0];
    }
}
