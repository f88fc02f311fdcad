package dev.outpost.runtime.engine.cpu;

import dev.outpost.runtime.engine.cpu.chain.Chains;
import dev.outpost.runtime.engine.cpu.product.Blas;

/** A CPU engine that uses the loops of chains from the start, not only once the JIT has compiled them. */
public final class ChainedEngine {
    private ChainedEngine() {}

    public static CpuEngine of(int threads) {
        return new CpuEngine(threads, 1 << 24, Blas.load(), Chains.atOnce(64));
    }
}
