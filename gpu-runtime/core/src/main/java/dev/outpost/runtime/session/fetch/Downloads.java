package dev.outpost.runtime.session.fetch;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.context.SharedQuotas;
import dev.outpost.runtime.session.memory.SharedQuota;
import dev.outpost.runtime.session.run.SessionContext;
import dev.outpost.runtime.session.run.Value;
import dev.outpost.types.OutpostException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The large values that are being sent. The lane requests their chunks when it can send them, so that a slow client
 * does not block other work.
 */
public final class Downloads {
    private static final int MAX_PENDING = 1024;

    private final Semaphore room = new Semaphore(MAX_PENDING);
    private final Set<Download> pending = ConcurrentHashMap.newKeySet();
    private final Engine engine;
    private final ReliableLane lane;
    private final BiConsumer<Long, Throwable> onFailure;
    /** The reader of downloads; null if the engine is synchronous. */
    private final DownloadReader reader;

    /**
     * @param onFailure called for a fetch whose value cannot be read
     * @param onBroken receives the failure after which nothing more is sent
     */
    public Downloads(
            SessionContext context,
            ReliableLane lane,
            BiConsumer<Long, Throwable> onFailure,
            Consumer<Throwable> onBroken) {
        this.engine = context.engine();
        this.lane = lane;
        this.onFailure = onFailure;
        this.reader = engine.isAsynchronous() ? reader(context, lane, onBroken) : null;
    }

    private static DownloadReader reader(SessionContext context, ReliableLane lane, Consumer<Throwable> onBroken) {
        SharedQuota.Part room = context.runtime().sharedQuotas().stagedBytes().part(SharedQuotas.STAGED_BYTES);
        return new DownloadReader(context.session(), lane, room, onBroken);
    }

    /** Starts a download, and takes over the caller's ownership of the value. Waits while too many are pending. */
    public void submit(long fetch, Value.Present value) throws InterruptedException {
        try {
            room.acquire();
        } catch (InterruptedException interrupted) {
            value.release();
            throw interrupted;
        }
        Download download = begin(fetch, value);
        pending.add(download);
        try {
            lane.submit(download);
        } catch (OutpostException failure) {
            // The lane reports its failure to all of its users, so the failure needs no other report.
            download.ended(failure);
        }
    }

    private Download begin(long fetch, Value.Present value) {
        if (reader == null) {
            return new DirectDownload(fetch, value, engine, onFailure, this::over);
        }
        StagedDownload staged = new StagedDownload(fetch, value, engine, onFailure, this::over);
        reader.add(staged);
        return staged;
    }

    private void over(Download download) {
        pending.remove(download);
        room.release();
    }

    /** Waits until all downloads have been handed to the lane. */
    public void finish() throws InterruptedException {
        room.acquire(MAX_PENDING);
        room.release(MAX_PENDING);
    }

    /** Stops. Drops the downloads that were not handed to the lane. */
    public void close() {
        if (reader != null) {
            reader.close();
        }
        pending.forEach(Download::drop);
    }
}
