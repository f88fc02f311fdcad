package dev.outpost.runtime.engine.cpu.chain;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** A cache of chain code by structure, shared by all programs. The least recently used entries are evicted first. */
public final class Chains {
    private final Map<Chain, ChainCode> codes = new LinkedHashMap<>(64, 0.75f, true);
    private final Function<Chain, ChainCode> maker;
    private final int bound;

    private Chains(int bound, Function<Chain, ChainCode> maker) {
        this.bound = bound;
        this.maker = maker;
    }

    /** Returns a cache whose loops are used only after the JIT has compiled them. */
    public static Chains compiled(int bound) {
        JitWarmer warmer = new JitWarmer();
        return new Chains(bound, chain -> new ChainCode(chain, warmer));
    }

    /** Returns a cache whose loops are used immediately, although they are slow until the JIT has compiled them. */
    public static Chains atOnce(int bound) {
        return new Chains(bound, chain -> new ChainCode(chain, JitWarmer.define(chain)));
    }

    synchronized ChainCode code(Chain chain) {
        ChainCode code = codes.computeIfAbsent(chain, maker);
        if (codes.size() > bound) {
            codes.remove(codes.keySet().iterator().next());
        }
        return code;
    }
}
