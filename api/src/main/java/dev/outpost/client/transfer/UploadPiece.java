package dev.outpost.client.transfer;

import dev.outpost.protocol.bytes.Body;

/**
 * A piece of an upload that is being sent. While the program waits, the piece is read from the program's array each
 * time it is sent. When the program continues, pieces that have not arrived are copied.
 */
public final class UploadPiece implements Body {
    private final int first;
    private final int length;
    private ElementSource elements;
    private byte[] copy;
    private boolean released;

    public UploadPiece(ElementSource elements, int first, int length) {
        this.elements = elements;
        this.first = first;
        this.length = length;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public synchronized void copyTo(byte[] target, int at) {
        if (copy == null) {
            elements.read(first, target, at, length);
        } else {
            System.arraycopy(copy, 0, target, at, length);
        }
    }

    /** Copies the elements, because the program may change them from now on. */
    public synchronized void keep() {
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

    public synchronized boolean isReleased() {
        return released;
    }
}
