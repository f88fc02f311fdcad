package dev.outpost.client;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.source.SourceQuestion;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What the machine was asked about its sources. Answers come in pieces. Thread-safe. */
final class SourceReplies {
    /** No index and no small file is larger. */
    private static final int MOST_OF_AN_ANSWER = 256 << 20;

    private static final class Pending {
        private final CompletableFuture<byte[]> answer = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    }

    private final Map<Long, Pending> pending = new HashMap<>();
    private long lastRequest;
    private OutpostException ended;

    CompletableFuture<byte[]> ask(SourceQuestion question, Delivery delivery) {
        Pending asked = new Pending();
        long request;
        synchronized (this) {
            if (ended != null) {
                return CompletableFuture.failedFuture(ended);
            }
            request = ++lastRequest;
            pending.put(request, asked);
        }
        delivery.ask(request, question.encode());
        return asked.answer;
    }

    void answered(Message.SourceAnswered piece) {
        Pending asked;
        synchronized (this) {
            asked = known(piece.request());
            if (piece.bytes().length > MOST_OF_AN_ANSWER - asked.bytes.size()) {
                throw new MalformedException("an answer about sources is over " + MOST_OF_AN_ANSWER + " bytes");
            }
            asked.bytes.writeBytes(piece.bytes());
            if (!piece.last()) {
                return;
            }
            pending.remove(piece.request());
        }
        asked.answer.complete(asked.bytes.toByteArray());
    }

    void failed(long request, OutpostException problem) {
        Pending asked;
        synchronized (this) {
            asked = known(request);
            pending.remove(request);
        }
        asked.answer.completeExceptionally(problem);
    }

    private Pending known(long request) {
        Pending asked = pending.get(request);
        if (asked == null) {
            throw new MalformedException("question " + request + " about sources was never asked");
        }
        return asked;
    }

    /** The session is over: whoever waits, or still comes, gets the reason. */
    synchronized void end(OutpostException reason) {
        ended = reason;
        pending.values().forEach(each -> each.answer.completeExceptionally(reason));
        pending.clear();
    }
}
