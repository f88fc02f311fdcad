package dev.outpost.runtime.session.fetch;

import dev.outpost.protocol.bytes.Body;
import dev.outpost.runtime.engine.Completion;
import java.util.function.IntConsumer;

/** A piece of a value that is read from a device before it is sent. Takes its bytes' part of a share until it is released. */
public final class StagedPiece implements Body {
    private final byte[] bytes;
    private final IntConsumer onRelease;
    private Completion read = Completion.DONE;

    /** @param onRelease told how many bytes nobody needs any more */
    public StagedPiece(int length, IntConsumer onRelease) {
        this.bytes = new byte[length];
        this.onRelease = onRelease;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** Its bytes are here when that is done. */
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
