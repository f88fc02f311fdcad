package dev.outpost.runtime.session.fetch;

import dev.outpost.protocol.bytes.Body;
import dev.outpost.runtime.engine.Completion;
import java.util.function.IntConsumer;

/** A piece of a value that is read from a device before it is sent. It counts against a quota until it is released. */
public final class StagedPiece implements Body {
    private final byte[] bytes;
    private final IntConsumer onRelease;
    private Completion read = Completion.DONE;

    /** @param onRelease receives the number of bytes that are free again */
    public StagedPiece(int length, IntConsumer onRelease) {
        this.bytes = new byte[length];
        this.onRelease = onRelease;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** Sets the completion of the read of its bytes. */
    public void comesWith(Completion newRead) {
        read = newRead;
    }

    public Completion read() {
        return read;
    }

    @Override
    public int length() {
        return bytes.length;
    }

    @Override
    public void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, 0, target, at, bytes.length);
    }

    @Override
    public void release() {
        onRelease.accept(bytes.length);
    }
}
