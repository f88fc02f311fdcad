package dev.outpost.runtime.engine.cpu.chain;

/**
 * The loop of a chain, once it is worth using: code of the Vector API is hundreds of times slower than any other until the JIT has
 * compiled it. Until then, and for good where the JIT does not do well with it, the operations are done one by one, of which all
 * programs share the loops; the bits are the same.
 */
public final class ChainCode {
    /** Elements from which on it is likely that more will come. */
    private static final long WORTHWHILE = 1L << 22;

    private final Chain chain;
    private final JitWarmer warmer;
    private volatile ChainLoop loop;
    /** Threads may race here: what is lost is a few elements. */
    private long elements;

    private boolean isAskedFor;

    ChainCode(Chain chain, JitWarmer warmer) {
        this.chain = chain;
        this.warmer = warmer;
    }

    /** Uses this loop from the beginning. */
    ChainCode(Chain chain, ChainLoop loop) {
        this.chain = chain;
        this.warmer = null;
        this.loop = loop;
    }

    /** How many numbers its loop is given. */
    public int room() {
        return chain.room();
    }

    /** Null where its operations are to be done one by one. */
    ChainLoop loop() {
        return loop;
    }

    /** So many elements were done without it. */
    void missed(int count) {
        elements += count;
        if (elements >= WORTHWHILE && !isAskedFor) {
            isAskedFor = true;
            warmer.train(chain, trained -> loop = trained);
        }
    }
}
