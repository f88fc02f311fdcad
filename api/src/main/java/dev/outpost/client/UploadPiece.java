package dev.outpost.client;

import dev.outpost.protocol.bytes.Body;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A piece of an upload on its way. While the program waits it is read from the program's array, once for each time it is
 * sent; what has not arrived when the program goes on is a copy from then on.
 */
final class UploadPiece implements Body {
    /** What is read at once stays in the processor's nearest cache until the network has it. */
    private static final int STEP_BYTES = 16 << 10;

    private final int first;
    private final int length;
    private ElementSource elements;
    private byte[] copy;
    private boolean released;

    UploadPiece(ElementSource elements, int first, int length) {
        this.elements = elements;
        this.first = first;
        this.length = length;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public synchronized void writeTo(OutputStream out) throws IOException {
        if (copy != null) {
            out.write(copy);
            return;
        }
        byte[] step = new byte[Math.min(STEP_BYTES, length)];
        for (int done = 0; done < length; done += step.length) {
            int count = Math.min(step.length, length - done);
            elements.read(first + done, step, 0, count);
            out.write(step, 0, count);
        }
    }

    /** The elements may change from here on. */
    synchronized void keep() {
        if (!released && copy == null) {
            copy = new byte[length];
            elements.read(first, copy, 0, length);
        }
        elements = null;
    }

    @Override
    public synchronized void release() {
        released = true;
        elements = null;
        copy = null;
    }

    synchronized boolean isReleased() {
        return released;
    }
}
