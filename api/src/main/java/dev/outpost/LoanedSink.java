package dev.outpost;

import dev.outpost.client.ElementSink;

/** The program's own array, as long as it waits: who is interrupted gets it back, and what comes later is dropped. */
final class LoanedSink implements ElementSink {
    private final ElementSink target;
    private boolean over;

    LoanedSink(ElementSink target) {
        this.target = target;
    }

    @Override
    public synchronized void write(int first, byte[] source, int from, int length) {
        if (!over) {
            target.write(first, source, from, length);
        }
    }

    synchronized void end() {
        over = true;
    }
}
