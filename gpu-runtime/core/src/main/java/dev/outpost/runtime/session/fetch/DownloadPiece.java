package dev.outpost.runtime.session.fetch;

import dev.outpost.protocol.bytes.Body;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.run.Value;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A piece of a value, read from the engine whenever it is sent. It owns the value until the client has the piece. If
 * the engine cannot read it, zeros are sent, so that the lane stays in step, and the failure is reported to the client.
 */
public final class DownloadPiece implements Body {
    private final Engine engine;
    private final Value.Present value;
    private final long first;
    private final int count;
    private final Consumer<Throwable> onFailure;
    private boolean failed;

    public DownloadPiece(Engine engine, Value.Present value, long first, int count, Consumer<Throwable> onFailure) {
        this.engine = engine;
        this.value = value.retain();
        this.first = first;
        this.count = count;
        this.onFailure = onFailure;
    }

    @Override
    public int length() {
        return count * elementBytes();
    }

    @Override
    public void copyTo(byte[] target, int at) {
        if (!failed) {
            read(target, at);
        }
        if (failed) {
            Arrays.fill(target, at, at + length(), (byte) 0);
        }
    }

    private void read(byte[] target, int at) {
        try {
            engine.read(value.array(), first, count, target, at);
        } catch (RuntimeException | OutOfMemoryError problem) {
            failed = true;
            onFailure.accept(problem);
        }
    }

    @Override
    public void release() {
        value.release();
    }

    private int elementBytes() {
        return value.array().dtype().bytes();
    }
}
