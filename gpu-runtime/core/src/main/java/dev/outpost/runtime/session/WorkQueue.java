package dev.outpost.runtime.session;

import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.runtime.session.memory.LimitCounters;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.memory.SharedQuota;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;

/** The messages that wait for the worker thread. The queue is limited. A client that respects its own, lower limits never fills it. */
final class WorkQueue {
    /** Marks the end of a drained queue. Compared by identity, because a client's goodbye looks the same. */
    static final ToRuntime.InTurn END = ToRuntime.Request.goodbye();

    private final LinkedBlockingQueue<ToRuntime.InTurn> messages = new LinkedBlockingQueue<>();
    private final SharedQuota.Part bytes;
    private final Limits limits;
    private final LimitCounters limitCounters;
    private volatile boolean closed;
    /** The arrival times of messages; null until the client requests a trace. */
    private volatile ArrivalTimes arrivalTimes;

    /** @param bytes the session's share of the memory for queued messages */
    WorkQueue(Limits limits, SharedQuota.Part bytes, LimitCounters limitCounters) {
        this.limits = limits;
        this.bytes = bytes;
        this.limitCounters = limitCounters;
    }

    /**
     * Adds a message. Called by one thread at a time.
     *
     * @param clock called only if the session is profiled
     */
    void add(ToRuntime.InTurn message, LongSupplier clock) {
        if (messages.size() >= limits.queuedMessages()) {
            throw limitCounters.refuse(
                    RuntimeLimit.QUEUED_MESSAGES, "over " + limits.queuedMessages() + " messages are queued");
        }
        long length = bytes(message);
        if (!bytes.reserve(length)) {
            throw limitCounters.refuse(
                    RuntimeLimit.QUEUED_BYTES, bytes.obstacle(length, "bytes of messages are queued"));
        }
        if (arrivalTimes == null && isTrace(message)) {
            arrivalTimes = new ArrivalTimes(message);
        }
        if (arrivalTimes != null) {
            arrivalTimes.add(clock.getAsLong());
        }
        put(message);
    }

    private static boolean isTrace(ToRuntime.InTurn message) {
        return message instanceof ToRuntime.Request request && request.request().hasTrace();
    }

    /**
     * Returns the arrival time of a message that was just taken, or the time {@code otherwise} if the session is not
     * profiled. Called for each message in order.
     */
    long arrival(ToRuntime.InTurn taken, long otherwise) {
        return arrivalTimes == null ? otherwise : arrivalTimes.of(taken, otherwise);
    }

    /** Records that no further message follows. */
    void end() {
        put(END);
    }

    /** Returns the next message, or null if the queue is empty. */
    ToRuntime.InTurn poll() {
        return taken(messages.poll());
    }

    /** Waits for the next message and returns it. */
    ToRuntime.InTurn take() throws InterruptedException {
        return taken(messages.take());
    }

    /** Drops all messages, including those that arrive later. Called when the session has ended. */
    void close() {
        closed = true;
        clear();
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    int size() {
        return messages.size();
    }

    long bytes() {
        return bytes.used();
    }

    private void put(ToRuntime.InTurn message) {
        messages.add(message);
        if (closed) {
            clear();
        }
    }

    /**
     * Removes the messages one by one. Another thread may remove messages at the same time, and each thread releases the bytes of the
     * messages that it removed.
     */
    private void clear() {
        ToRuntime.InTurn left = poll();
        while (left != null) {
            left = poll();
        }
    }

    private ToRuntime.InTurn taken(ToRuntime.InTurn message) {
        if (message != null) {
            bytes.release(bytes(message));
        }
        return message;
    }

    /** Returns the number of bytes for which a message counts; 0 for a small message. */
    private static long bytes(ToRuntime.InTurn message) {
        return switch (message) {
            case ToRuntime.RunSegment run -> run.segment().length;
            case ToRuntime.RememberSegment remember -> remember.segment().length;
            case ToRuntime.RepeatSegment repeat -> repeat.changes().length;
            case ToRuntime.PassSegment pass -> pass.bundle().bytes();
            case ToRuntime.Free free -> free.values().bytes();
            case ToRuntime.DefineProgram define -> define.code().length;
            case ToRuntime.RunProgram run -> run.call().length;
            case ToRuntime.SaveModel save -> save.bytes();
            case ToRuntime.Fetch _, ToRuntime.TakeSegment _, ToRuntime.DropProgram _, ToRuntime.Request _ -> 0;
        };
    }
}
