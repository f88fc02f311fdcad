package dev.outpost.runtime.engine.cpu;

import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/** Tiles that are used again and again, and so stay in the caches. */
final class TilePool {
    /** Of 4 KiB: a dozen of them fill the nearest cache, and a loop over one is long enough to be worth entering. */
    static final int LENGTH = 1024;

    private static final int MOST = 256;

    private final Queue<float[]> tiles = new ArrayBlockingQueue<>(MOST);

    /** A tile of undefined content. */
    float[] take() {
        float[] tile = tiles.poll();
        return tile == null ? new float[LENGTH] : tile;
    }

    /** Nobody uses them any more; those that are null never were any. */
    void give(float[][] used) {
        for (float[] tile : used) {
            if (tile != null) {
                tiles.offer(tile);
            }
        }
    }
}
