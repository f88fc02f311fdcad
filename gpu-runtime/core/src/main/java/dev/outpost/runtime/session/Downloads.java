package dev.outpost.runtime.session;

import dev.outpost.protocol.delivery.ReliableLane;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.Payload;
import dev.outpost.runtime.engine.Engine;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.BiConsumer;

/** Large values on their way out, chunk by chunk on a thread of their own, so that a slow reader holds up nothing else. */
final class Downloads {
    private static final int MAX_PENDING = 1024;

    private record Download(long fetch, Value.Present value) {}

    private static final Download LAST = new Download(0, null);

    private final BlockingQueue<Download> pending = new ArrayBlockingQueue<>(MAX_PENDING);
    private final Engine engine;
    private final ReliableLane lane;
    private final BiConsumer<Long, Throwable> onFailure;
    private final Thread thread;

    /** @param onFailure hears of a fetch whose value could not be read */
    Downloads(String name, Engine engine, ReliableLane lane, BiConsumer<Long, Throwable> onFailure) {
        this.engine = engine;
        this.lane = lane;
        this.onFailure = onFailure;
        this.thread = Thread.ofVirtual().name(name).start(this::run);
    }

    /** Takes over the caller's ownership of the value; waits while too many are pending. */
    void submit(long fetch, Value.Present value) throws InterruptedException {
        boolean accepted = false;
        try {
            pending.put(new Download(fetch, value));
            accepted = true;
        } finally {
            if (!accepted) {
                value.release();
            }
        }
    }

    /** Waits until all that was submitted has been handed to the lane. */
    void finish() throws InterruptedException {
        pending.put(LAST);
        thread.join();
    }

    /** Stops; what was not handed over is dropped. */
    void close() {
        thread.interrupt();
        boolean interrupted = Thread.interrupted();
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        pending.stream().filter(download -> download != LAST).forEach(download -> download.value.release());
        pending.clear();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            for (Download next = pending.take(); next != LAST; next = pending.take()) {
                send(next);
            }
        } catch (InterruptedException | OutpostException sessionEnded) {
            // The lane tells the same to all who use it; there is nobody else to tell.
        }
    }

    private void send(Download download) throws InterruptedException {
        try {
            Value.Present value = download.value;
            long elements = value.array().shape().elements();
            int dtypeBytes = value.array().dtype().bytes();
            int step = Message.CHUNK_BYTES / dtypeBytes;
            for (long first = 0; first < elements; first += step) {
                int count = (int) Math.min(step, elements - first);
                DownloadPiece piece = new DownloadPiece(
                        engine, value, first, count, failure -> onFailure.accept(download.fetch, failure));
                send(Message.DownloadChunk.payload(download.fetch, first * dtypeBytes, piece));
            }
        } finally {
            download.value.release();
        }
    }

    private void send(Payload payload) throws InterruptedException {
        boolean taken = false;
        try {
            lane.send(payload);
            taken = true;
        } finally {
            if (!taken) {
                payload.body().release();
            }
        }
    }
}
