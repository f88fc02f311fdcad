package dev.outpost.internal.transfer;

import dev.outpost.client.transfer.ElementSink;
import java.nio.ByteBuffer;

/**
 * Writes into an array of the program while the program waits. If the wait is interrupted, the array belongs to the program again, and
 * elements that arrive later are dropped.
 */
public final class LoanedSink implements ElementSink {
    private final ElementSink target;
    private boolean isOver;

    public LoanedSink(ElementSink target) {
        this.target = target;
    }

    @Override
    public synchronized void write(int first, ByteBuffer source) {
        if (!isOver) {
            target.write(first, source);
        }
    }

    public synchronized void end() {
        isOver = true;
    }
}
