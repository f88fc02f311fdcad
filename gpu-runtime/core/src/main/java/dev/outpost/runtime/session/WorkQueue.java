package dev.outpost.runtime.session;

import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Message;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Messages that wait for the worker. Bounded: a client that keeps to its own, lower bounds never fills it. */
final class WorkQueue {
    static final int MAX_MESSAGES = 1024;
    static final long MAX_BYTES = 256L << 20;

    private final LinkedBlockingQueue<Message> messages = new LinkedBlockingQueue<>(MAX_MESSAGES);
    private final AtomicLong bytes = new AtomicLong();

    void add(Message message) {
        if (bytes.addAndGet(bytes(message)) > MAX_BYTES) {
            throw new OutpostException(FaultKind.RESOURCES, "over " + MAX_BYTES + " bytes of messages queued");
        }
        if (!messages.offer(message)) {
            throw new OutpostException(FaultKind.RESOURCES, "over " + MAX_MESSAGES + " messages queued");
        }
    }

    Message take() throws InterruptedException {
        Message message = messages.take();
        bytes.addAndGet(-bytes(message));
        return message;
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** Only what can be large counts. */
    private static long bytes(Message message) {
        return switch (message) {
            case Message.RunSegment run -> run.segment().length;
            case Message.Free free -> 8L * free.values().length;
            case Message.UploadChunk chunk -> chunk.bytes().length;
            case Message.Fetched fetched -> fetched.bytes().length;
            case Message.DownloadChunk chunk -> chunk.bytes().length;
            case Message.Fetch _, Message.Goodbye _, Message.Progress _ -> 0;
            case Message.FetchFailed _, Message.Farewell _ -> 0;
        };
    }
}
