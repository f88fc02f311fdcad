package dev.outpost.runtime.engine.cpu;

/** Where the condition is true the first, elsewhere the second. Plain code until vectors are quicker. */
final class TileChoice {
    private static final Rise RISE = new Rise();

    private TileChoice() {}

    static void run(float[] c, int atC, float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        if (!Vectors.PRESENT) {
            ScalarTiles.choose(c, atC, a, atA, b, atB, r, at, count);
        } else if (RISE.isDone()) {
            VectorTiles.choose(c, atC, a, atA, b, atB, r, at, count);
        } else {
            both(c, atC, a, atA, b, atB, r, at, count);
        }
    }

    private static void both(float[] c, int atC, float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        int share = RISE.share(count);
        long begin = System.nanoTime();
        VectorTiles.choose(c, atC, a, atA, b, atB, r, at, share);
        long middle = System.nanoTime();
        int rest = count - share;
        ScalarTiles.choose(c, atC + share, a, atA + share, b, atB + share, r, at + share, rest);
        RISE.vectors(share, middle - begin);
        RISE.plain(rest, System.nanoTime() - middle);
    }
}
