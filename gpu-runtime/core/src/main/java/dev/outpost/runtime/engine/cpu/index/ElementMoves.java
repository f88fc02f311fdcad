package dev.outpost.runtime.engine.cpu.index;

/** Copies of single elements, by the type of their Java array. */
public final class ElementMoves {
    private ElementMoves() {}

    /** {@code target[at + i] = source[positions[i]]}. */
    public static void gather(Object source, int[] positions, Object target, int at, int count) {
        switch (source) {
            case float[] from -> gather(from, positions, (float[]) target, at, count);
            case double[] from -> gather(from, positions, (double[]) target, at, count);
            case long[] from -> gather(from, positions, (long[]) target, at, count);
            case int[] from -> gather(from, positions, (int[]) target, at, count);
            case short[] from -> gather(from, positions, (short[]) target, at, count);
            case byte[] from -> gather(from, positions, (byte[]) target, at, count);
            default -> throw new IllegalArgumentException("no elements lie in a " + source.getClass());
        }
    }

    private static void gather(float[] source, int[] positions, float[] target, int at, int count) {
        for (int i = 0; i < count; i++) {
            target[at + i] = source[positions[i]];
        }
    }

    private static void gather(double[] source, int[] positions, double[] target, int at, int count) {
        for (int i = 0; i < count; i++) {
            target[at + i] = source[positions[i]];
        }
    }

    private static void gather(long[] source, int[] positions, long[] target, int at, int count) {
        for (int i = 0; i < count; i++) {
            target[at + i] = source[positions[i]];
        }
    }

    private static void gather(int[] source, int[] positions, int[] target, int at, int count) {
        for (int i = 0; i < count; i++) {
            target[at + i] = source[positions[i]];
        }
    }

    private static void gather(short[] source, int[] positions, short[] target, int at, int count) {
        for (int i = 0; i < count; i++) {
            target[at + i] = source[positions[i]];
        }
    }

    private static void gather(byte[] source, int[] positions, byte[] target, int at, int count) {
        for (int i = 0; i < count; i++) {
            target[at + i] = source[positions[i]];
        }
    }
}
