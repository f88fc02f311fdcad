package dev.outpost.runtime.session;

import dev.outpost.protocol.bytes.Body;
import dev.outpost.runtime.engine.Engine;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A piece of a value on its way out, read from the engine whenever it is sent. It is an owner of the value until the
 * client has it. When the engine cannot read it, zeros go out, so that the lane stays in step, and the client is told.
 */
final class DownloadPiece implements Body {
    /** What is read at once stays in the processor's nearest cache until the network has it. */
    private static final int STEP_BYTES = 16 << 10;

    private final Engine engine;
    private final Value.Present value;
    private final long first;
    private final int count;
    private final Consumer<Throwable> onFailure;
    private boolean failed;

    DownloadPiece(Engine engine, Value.Present value, long first, int count, Consumer<Throwable> onFailure) {
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
    public void writeTo(OutputStream out) throws IOException {
        int step = Math.min(count, STEP_BYTES / elementBytes());
        byte[] bytes = new byte[step * elementBytes()];
        for (int done = 0; done < count; done += step) {
            int some = Math.min(step, count - done);
            read(first + done, some, bytes);
            out.write(bytes, 0, some * elementBytes());
        }
    }

    @Override
    public void release() {
        value.release();
    }

    private int elementBytes() {
        return value.array().dtype().bytes();
    }

    private void read(long from, int some, byte[] bytes) {
        if (failed) {
            return;
        }
        try {
            engine.read(value.array(), from, some, bytes, 0);
        } catch (RuntimeException | OutOfMemoryError problem) {
            failed = true;
            Arrays.fill(bytes, (byte) 0);
            onFailure.accept(problem);
        }
    }
}
