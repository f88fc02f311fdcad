package dev.outpost.runtime.session.fetch;

import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.session.schedule.TimeSlice;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Sends the replies of a session on an asynchronous engine. A separate thread waits for the engine and sends them, so
 * that the worker thread continues, and the engine's threads never wait for a client.
 */
public final class AsyncReplies implements Replies {
    /** The maximum number of waiting replies. If there are more, the worker thread waits. */
    private static final int MAX = 256;

    private record Waiting(Completion completion, Reply reply) {}

    private final Semaphore room = new Semaphore(MAX);
    private final LinkedBlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
    private final TimeSlice slice;
    private final Reply afterEach;
    private final Consumer<Throwable> onFailure;
    private final Thread thread;
    private volatile boolean isOver;

    /**
     * @param slice the session's time slice, which is released before the worker thread waits
     * @param afterEach the reply that is sent after each other one
     * @param onFailure receives the reason why no more replies are sent
     */
    public AsyncReplies(long session, TimeSlice slice, Reply afterEach, Consumer<Throwable> onFailure) {
        this.slice = slice;
        this.afterEach = afterEach;
        this.onFailure = onFailure;
        this.thread = Thread.ofVirtual().name("outpost-replies-" + session).start(this::sendAll);
    }

    @Override
    public void after(Completion completion, Reply reply) throws InterruptedException {
        try {
            if (!room.tryAcquire()) {
                slice.release();
                room.acquire();
            }
        } catch (InterruptedException interrupted) {
            drop(new Waiting(completion, reply));
            throw interrupted;
        }
        queue.add(new Waiting(completion, reply));
        if (isOver) {
            dropAll();
        }
    }

    @Override
    public boolean areImmediate() {
        return false;
    }

    @Override
    public boolean areAnyWaiting() {
        return room.availablePermits() < MAX;
    }

    @Override
    public void finish() throws InterruptedException {
        room.acquire(MAX);
        room.release(MAX);
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void sendAll() {
        Waiting next = null;
        try {
            while (true) {
                next = queue.take();
                next.completion.await();
                Waiting happened = next;
                next = null;
                send(happened);
                room.release();
            }
        } catch (InterruptedException interrupted) {
            // The worker thread is about to end, and adds no more replies.
        } catch (Throwable problem) {
            onFailure.accept(problem);
        } finally {
            isOver = true;
            if (next != null) {
                drop(next);
            }
            dropAll();
        }
    }

    private void send(Waiting next) throws InterruptedException {
        if (next.completion.failure().isPresent()) {
            next.reply.fail(next.completion.failure().get());
        } else {
            next.reply.send();
        }
        afterEach.send();
    }

    private void dropAll() {
        for (Waiting left = queue.poll(); left != null; left = queue.poll()) {
            drop(left);
        }
    }

    /** Drops a reply when its completion is done, because the device may use the reply's values until then. */
    private static void drop(Waiting left) {
        left.completion.whenDone(left.reply::drop);
    }
}
