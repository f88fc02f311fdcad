package dev.outpost.client.numbers;

/**
 * A number that each run of a program is given anew. Only as an operand of an op is it more than what it is while the
 * program is traced.
 */
public final class LiveNumber extends Number {
    /** In how many runs of a scan one may change. */
    public static final int MAX = 1 << 16;

    private static final long serialVersionUID = 1L;

    private final double now;
    private final int place;

    public LiveNumber(double now, int place) {
        this.now = now;
        this.place = place;
    }

    /** Which of the numbers that its trace was asked for it is. */
    public int place() {
        return place;
    }

    @Override
    public int intValue() {
        return (int) now;
    }

    @Override
    public long longValue() {
        return (long) now;
    }

    @Override
    public float floatValue() {
        return (float) now;
    }

    @Override
    public double doubleValue() {
        return now;
    }
}
