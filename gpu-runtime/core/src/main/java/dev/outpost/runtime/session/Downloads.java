package dev.outpost.runtime.session;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.runtime.engine.Engine;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;

/** Large values on their way out. The lane asks for their chunks, so that a slow reader holds up nothing else. */
final class Downloads {
    private static final int MAX_PENDING = 1024;

    private final Semaphore room = new Semaphore(MAX_PENDING);
    private final Set<Download> pending = ConcurrentHashMap.newKeySet();
    private final Engine engine;
    private final ReliableLane lane;
    private final BiConsumer<Long, Throwable> onFailure;

    /** @param onFailure hears of a fetch whose value could not be read */
    Downloads(Engine engine, ReliableLane lane, BiConsumer<Long, Throwable> onFailure) {
        this.engine = engine;
        this.lane = lane;
        this.onFailure = onFailure;
    }

    /** Takes over the caller's ownership of the value; waits while too many are pending. */
    void submit(long fetch, Value.Present value) throws InterruptedException {
        Download download = new Download(fetch, value, engine, onFailure, this::over);
        try {
            room.acquire();
        } catch (InterruptedException stopped) {
            value.release();
            throw stopped;
        }
        pending.add(download);
        try {
            lane.submit(download);
        } catch (OutpostException ended) {
            // The lane tells the same to all who use it; there is nobody else to tell.
            download.ended(ended);
        }
    }

    private void over(Download download) {
        pending.remove(download);
        room.release();
    }

    /** Waits until all that was submitted has been handed to the lane. */
    void finish() throws InterruptedException {
        room.acquire(MAX_PENDING);
        room.release(MAX_PENDING);
    }

    /** Stops; what was not handed over is dropped. */
    void close() {
        pending.forEach(Download::drop);
    }
}
