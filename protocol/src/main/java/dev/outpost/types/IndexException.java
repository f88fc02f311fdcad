package dev.outpost.types;

/** Thrown if an index is out of range. */
public final class IndexException extends OpException {
    private final long index;
    private final long size;

    public IndexException(String op, String problem, long index, long size) {
        super(op, problem);
        this.index = index;
        this.size = size;
    }

    public long index() {
        return index;
    }

    /** Returns the size of the indexed dimension. */
    public long size() {
        return size;
    }
}
