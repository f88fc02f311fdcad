package dev.outpost.runtime.session;

import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.runtime.session.memory.LimitCounters;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.memory.SharedQuota;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;

/** Messages that wait for the worker. Bounded: a client that keeps to its own, lower bounds never fills it. */
final class WorkQueue {
    /** Comes behind all messages when no more are taken; told from a client's goodbye by identity. */
    static final ToRuntime.InTurn END = ToRuntime.Request.goodbye();

    private final LinkedBlockingQueue<ToRuntime.InTurn> messages = new LinkedBlockingQueue<>();
    private final SharedQuota.Part bytes;
    private final Limits limits;
    private final LimitCounters limitCounters;
    private volatile boolean closed;
    /** Null until somebody profiles. */
    private volatile ArrivalTimes arrivalTimes;

    /** @param bytes what its messages take */
    WorkQueue(Limits limits, SharedQuota.Part bytes, LimitCounters limitCounters) {
        this.limits = limits;
        this.bytes = bytes;
        this.limitCounters = limitCounters;
    }

    /**
     * Called by one thread at a time.
     *
     * @param clock asked only where the session is profiled
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

    /** When a message came that was just taken; {@code otherwise} where nobody profiles. Called for each, in order. */
    long arrival(ToRuntime.InTurn taken, long otherwise) {
        return arrivalTimes == null ? otherwise : arrivalTimes.of(taken, otherwise);
    }

    /** No message follows those that are here. */
    void end() {
        put(END);
    }

    /** The next message, or null when there is none at the moment. */
    ToRuntime.InTurn poll() {
        return taken(messages.poll());
    }

    /** The next message, as soon as there is one. */
    ToRuntime.InTurn take() throws InterruptedException {
        return taken(messages.take());
    }

    /** The session is over: nobody will take what is left, nor what still comes. */
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

    /** Takes one by one what another thread may clear as well: each gives back what it took. */
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

    /** Only what can be large counts. */
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
