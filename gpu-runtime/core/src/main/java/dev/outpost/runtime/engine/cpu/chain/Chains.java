package dev.outpost.runtime.engine.cpu.chain;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The code of chains by their structure, for all programs; the least recently used go first. */
public final class Chains {
    private final Map<Chain, ChainCode> codes = new LinkedHashMap<>(64, 0.75f, true);
    private final Function<Chain, ChainCode> maker;
    private final int bound;

    private Chains(int bound, Function<Chain, ChainCode> maker) {
        this.bound = bound;
        this.maker = maker;
    }

    /** Chains whose loops are used when the JIT has compiled them. */
    public static Chains compiled(int bound) {
        JitWarmer warmer = new JitWarmer();
        return new Chains(bound, chain -> new ChainCode(chain, warmer));
    }

    /** Chains whose loops are used from the first element on, however slow they are: they compute the same bits. */
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
