package dev.outpost.runtime.session.fetch;

import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.session.schedule.TimeSlice;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * The replies of an engine that does later what it is asked: a thread of their own waits for it, so that the worker goes on, and
 * the engine's threads never wait for a client.
 */
public final class AsyncReplies implements Replies {
    /** How many wait at most. A session that is further ahead of its device waits as well. */
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
     * @param slice given back before the worker waits
     * @param afterEach sent behind each reply
     * @param onFailure hears why no more are sent
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
            // The worker is at its end, and adds no more.
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

    /** The values of a reply may be in use until then. */
    private static void drop(Waiting left) {
        left.completion.whenDone(left.reply::drop);
    }
}
