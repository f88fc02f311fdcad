package dev.outpost.runtime.session.fetch;

import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.run.Value;
import dev.outpost.types.OutpostException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A download whose chunks are read when they are sent, from a synchronous engine. */
public final class DirectDownload implements Download {
    private final long fetch;
    private final Value.Present value;
    private final Engine engine;
    private final BiConsumer<Long, Throwable> onFailure;
    private final Consumer<Download> onOver;
    private final long elements;
    private long sent;
    private boolean isOver;

    /**
     * @param onFailure called if the value cannot be read
     * @param onOver called once when no more chunks follow
     */
    public DirectDownload(
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

    @Override
    public synchronized Payload next() {
        if (isOver || sent == elements) {
            return null;
        }
        int dtypeBytes = value.array().dtype().bytes();
        int count = (int) Math.min(Message.CHUNK_BYTES / dtypeBytes, elements - sent);
        DownloadPiece piece =
                new DownloadPiece(engine, value, sent, count, failure -> onFailure.accept(fetch, failure));
        Payload payload = ToClient.DownloadChunk.payload(fetch, sent * dtypeBytes, piece, dtypeBytes);
        sent += count;
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
    public synchronized void drop() {
        if (!isOver) {
            isOver = true;
            value.release();
            onOver.accept(this);
        }
    }
}
