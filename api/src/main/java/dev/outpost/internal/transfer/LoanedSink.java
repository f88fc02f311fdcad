package dev.outpost.internal.transfer;

import dev.outpost.client.transfer.ElementSink;
import java.nio.ByteBuffer;

/** The program's own array, as long as it waits: who is interrupted gets it back, and what comes later is dropped. */
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
