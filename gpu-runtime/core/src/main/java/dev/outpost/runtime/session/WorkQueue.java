package dev.outpost.runtime.session;

import dev.outpost.protocol.message.Message;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;

/** Messages that wait for the worker. Bounded: a client that keeps to its own, lower bounds never fills it. */
final class WorkQueue {
    /** Comes behind all messages when no more are taken; told from a client's goodbye by identity. */
    static final Message END = new Message.Goodbye();

    private final LinkedBlockingQueue<Message> messages = new LinkedBlockingQueue<>();
    private final Share.Part bytes;
    private final Limits limits;
    private final Refusals refusals;
    private volatile boolean closed;
    /** Null until somebody profiles. */
    private volatile Arrivals arrivals;

    /** @param bytes what its messages take */
    WorkQueue(Limits limits, Share.Part bytes, Refusals refusals) {
        this.limits = limits;
        this.bytes = bytes;
        this.refusals = refusals;
    }

    /**
     * Called by one thread at a time.
     *
     * @param clock asked only where the session is profiled
     */
    void add(Message message, LongSupplier clock) {
        if (messages.size() >= limits.queuedMessages()) {
            throw refusals.refuse(Limit.QUEUED_MESSAGES, "over " + limits.queuedMessages() + " messages are queued");
        }
        long length = bytes(message);
        if (!bytes.reserve(length)) {
            throw refusals.refuse(Limit.QUEUED_BYTES, bytes.obstacle(length, "bytes of messages are queued"));
        }
        if (arrivals == null && message instanceof Message.Trace) {
            arrivals = new Arrivals(message);
        }
        if (arrivals != null) {
            arrivals.add(clock.getAsLong());
        }
        put(message);
    }

    /** When a message came that was just taken; {@code otherwise} where nobody profiles. Called for each, in order. */
    long arrival(Message taken, long otherwise) {
        return arrivals == null ? otherwise : arrivals.of(taken, otherwise);
    }

    /** No message follows those that are here. */
    void end() {
        put(END);
    }

    /** The next message, or null when there is none at the moment. */
    Message poll() {
        return taken(messages.poll());
    }

    /** The next message, as soon as there is one. */
    Message take() throws InterruptedException {
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

    private void put(Message message) {
        messages.add(message);
        if (closed) {
            clear();
        }
    }

    /** Takes one by one what another thread may clear as well: each gives back what it took. */
    private void clear() {
        Message left = poll();
        while (left != null) {
            left = poll();
        }
    }

    private Message taken(Message message) {
        if (message != null) {
            bytes.giveBack(bytes(message));
        }
        return message;
    }

    /** Only what can be large counts. */
    private static long bytes(Message message) {
        return switch (message) {
            case Message.RunSegment run -> run.segment().length;
            case Message.RememberSegment remember -> remember.segment().length;
            case Message.RepeatSegment repeat -> repeat.changes().length;
            case Message.Free free -> free.values().bytes();
            case Message.UploadChunk chunk -> chunk.bytes().length();
            case Message.Fetched fetched -> fetched.bytes().length;
            case Message.DownloadChunk chunk -> chunk.bytes().length();
            case Message.DefineProgram define -> define.code().length;
            case Message.RunProgram run -> run.call().length;
            case Message.Fetch _, Message.Goodbye _, Message.Progress _ -> 0;
            case Message.FetchFailed _, Message.Farewell _, Message.Failed _, Message.UpdateFailed _ -> 0;
            case Message.Explained explained -> explained.explanation().length;
            case Message.Traced traced -> traced.events().length;
            case Message.AskSource ask -> ask.question().length;
            case Message.SourceAnswered answered -> answered.bytes().length;
            case Message.SourceFailed _ -> 0;
            case Message.AskPeers ask -> ask.question().length;
            case Message.PeersAnswered answered -> answered.bytes().length;
            case Message.PeersFailed _ -> 0;
            case Message.Explain _, Message.ExplainProgram _, Message.Trace _ -> 0;
            case Message.DropProgram _, Message.GrantEmissions _, Message.CancelScan _, Message.Scanned _ -> 0;
        };
    }
}
