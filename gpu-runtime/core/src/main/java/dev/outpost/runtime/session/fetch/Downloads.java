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

/** Large values on their way out. The lane asks for their chunks, so that a slow reader holds up nothing else. */
public final class Downloads {
    private static final int MAX_PENDING = 1024;

    private final Semaphore room = new Semaphore(MAX_PENDING);
    private final Set<Download> pending = ConcurrentHashMap.newKeySet();
    private final Engine engine;
    private final ReliableLane lane;
    private final BiConsumer<Long, Throwable> onFailure;
    /** Null where the engine has all at hand. */
    private final DownloadReader reader;

    /**
     * @param onFailure hears of a fetch whose value could not be read
     * @param onBroken hears why nothing is sent any more
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

    /** Takes over the caller's ownership of the value; waits while too many are pending. */
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
            // The lane tells the same to all who use it; there is nobody else to tell.
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

    /** Waits until all that was submitted has been handed to the lane. */
    public void finish() throws InterruptedException {
        room.acquire(MAX_PENDING);
        room.release(MAX_PENDING);
    }

    /** Stops; what was not handed over is dropped. */
    public void close() {
        if (reader != null) {
            reader.close();
        }
        pending.forEach(Download::drop);
    }
}
