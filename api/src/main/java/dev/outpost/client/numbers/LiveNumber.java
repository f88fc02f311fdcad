package dev.outpost.client.numbers;

/**
 * A number whose value may differ in each run of a program. This works only if it is an operand of an op; elsewhere
 * it keeps the value that it had when the program was traced.
 */
public final class LiveNumber extends Number {
    /** The largest number of runs of a scan in which a number may change. */
    public static final int MAX = 1 << 16;

    private static final long serialVersionUID = 1L;

    private final double now;
    private final int place;

    public LiveNumber(double now, int place) {
        this.now = now;
        this.place = place;
    }

    /** Returns the index of this number among the numbers that the trace created. */
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
