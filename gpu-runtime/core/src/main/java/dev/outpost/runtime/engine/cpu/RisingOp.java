package dev.outpost.runtime.engine.cpu;

/** An operation that is plain code until vectors are quicker. */
final class RisingOp implements TileOp {
    private final TileOp plain;
    private final TileOp vectors;
    private final Rise rise = new Rise();

    /** @param vectors computes the bits that {@code plain} does */
    RisingOp(TileOp plain, TileOp vectors) {
        this.plain = plain;
        this.vectors = vectors;
    }

    @Override
    public void run(float[] first, int atFirst, float[] second, int atSecond, float[] result, int at, int count) {
        if (rise.isDone()) {
            vectors.run(first, atFirst, second, atSecond, result, at, count);
            return;
        }
        int share = rise.share(count);
        long begin = System.nanoTime();
        vectors.run(first, atFirst, second, atSecond, result, at, share);
        long middle = System.nanoTime();
        plain.run(first, atFirst + share, second, atSecond + share, result, at + share, count - share);
        rise.vectors(share, middle - begin);
        rise.plain(count - share, System.nanoTime() - middle);
    }
}
