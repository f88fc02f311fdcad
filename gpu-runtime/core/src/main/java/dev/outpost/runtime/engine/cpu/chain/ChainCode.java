package dev.outpost.runtime.engine.cpu.chain;

/**
 * The loop of a chain. Code of the Vector API is hundreds of times slower than other code until the JIT has compiled
 * it. Until then the operations run one by one, with loops that all programs share, and compute the same bits. If the
 * JIT compiles the loop badly, the operations always run one by one.
 */
public final class ChainCode {
    /**
     * The number of processed elements from which compiling a chain is worth it, because it is likely to be used
     * again.
     */
    private static final long WORTHWHILE = 1L << 22;

    private final Chain chain;
    private final JitWarmer warmer;
    private volatile ChainLoop loop;
    /**
     * The number of elements processed without the loop. If threads race, only the count of a few elements is lost.
     */
    private long elements;

    private boolean isAskedFor;

    ChainCode(Chain chain, JitWarmer warmer) {
        this.chain = chain;
        this.warmer = warmer;
    }

    /** Creates code that uses the given loop from the beginning. */
    ChainCode(Chain chain, ChainLoop loop) {
        this.chain = chain;
        this.warmer = null;
        this.loop = loop;
    }

    /** Returns the length of the loop's array of numbers. */
    public int room() {
        return chain.room();
    }

    /** Returns the loop; null if the operations have to run one by one. */
    ChainLoop loop() {
        return loop;
    }

    /** Counts elements that were computed without the loop. */
    void missed(int count) {
        elements += count;
        if (elements >= WORTHWHILE && !isAskedFor) {
            isAskedFor = true;
            warmer.train(chain, trained -> loop = trained);
        }
    }
}
