package dev.outpost.runtime.session.fetch;

import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.run.Value;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A download from an asynchronous engine, whose chunks {@link DownloadReader} reads before they are sent. The lane
 * sends the chunks that have arrived, and never waits for the device.
 */
public final class StagedDownload implements Download {
    private final long fetch;
    private final Value.Present value;
    private final Engine engine;
    private final BiConsumer<Long, Throwable> onFailure;
    private final Consumer<Download> onOver;
    private final long elements;
    private final ArrayDeque<StagedPiece> here = new ArrayDeque<>();
    private long begun;
    private long sent;
    private boolean failed;
    private boolean isOver;

    /**
     * @param onFailure called once if the value cannot be read
     * @param onOver called once when no more chunks follow
     */
    public StagedDownload(
            long fetch,
            Value.Present value,
            Engine engine,
            BiConsumer<Long, Throwable> onFailure,
            Consumer<Download> onOver) {
        this.fetch = fetch;
        this.value = value;
        this.engine = engine;
        this.onFailure = onFailure;
        this.onOver = onOver;
        this.elements = value.array().shape().elements();
    }

    // ---- reading

    /** Returns the size of the next piece in bytes; 0 if no piece is left. */
    public synchronized int nextBytes() {
        return isOver ? 0 : (int) Math.min(chunkElements(), elements - begun) * elementBytes();
    }

    /** Begins to read the next piece, of {@link #nextBytes}. */
    public void beginNext(StagedPiece piece) {
        int count = piece.length() / elementBytes();
        long first;
        synchronized (this) {
            first = begun;
            begun += count;
        }
        try {
            piece.comesWith(engine.readLater(value.array(), first, count, piece.bytes(), 0));
        } catch (RuntimeException | OutOfMemoryError problem) {
            fail(problem);
        }
    }

    /** Adds a piece that was read or could not be read. Called in the order of the pieces. */
    public void came(StagedPiece piece) {
        piece.read().failure().ifPresent(this::fail);
        synchronized (this) {
            if (!isOver) {
                if (failed) {
                    // Sends zeros, because the client expects all chunks. The failure is reported to the client
                    // separately.
                    Arrays.fill(piece.bytes(), (byte) 0);
                }
                here.add(piece);
                return;
            }
        }
        piece.release();
    }

    private void fail(Throwable problem) {
        synchronized (this) {
            if (failed) {
                return;
            }
            failed = true;
        }
        onFailure.accept(fetch, problem);
    }

    /** Releases the value. Called when no piece is being read and no further piece will be read. */
    public void readNoMore() {
        value.release();
    }

    private int chunkElements() {
        return Message.CHUNK_BYTES / elementBytes();
    }

    private int elementBytes() {
        return value.array().dtype().bytes();
    }

    // ---- sending

    @Override
    public synchronized boolean isReady() {
        return isOver || sent == elements || !here.isEmpty();
    }

    @Override
    public synchronized Payload next() {
        StagedPiece next = here.poll();
        if (next == null) {
            return null;
        }
        Payload payload = ToClient.DownloadChunk.payload(fetch, sent * elementBytes(), next, elementBytes());
        sent += next.length() / elementBytes();
        return payload;
    }

    @Override
    public void taken() {
        drop();
    }

    @Override
    public void ended(OutpostException reason) {
        drop();
    }

    @Override
    public void drop() {
        synchronized (this) {
            if (isOver) {
                return;
            }
            isOver = true;
            here.forEach(StagedPiece::release);
            here.clear();
        }
        onOver.accept(this);
    }
}
