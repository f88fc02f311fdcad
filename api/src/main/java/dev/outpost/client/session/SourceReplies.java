package dev.outpost.client.session;

import dev.outpost.protocol.message.DeleteStates;
import dev.outpost.protocol.message.Own;
import dev.outpost.protocol.message.RestoreState;
import dev.outpost.protocol.message.SaveRequest;
import dev.outpost.protocol.message.SaveState;
import dev.outpost.protocol.message.SourceAnswered;
import dev.outpost.protocol.message.SourceQuestion;
import dev.outpost.protocol.message.SourceRequest;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** The machine's answers about its sources. Answers arrive in pieces. Thread-safe. */
public final class SourceReplies {
    /** The maximum size of an answer in bytes. Indexes and small files are never larger. */
    private static final int MAX_OF_AN_ANSWER = 256 << 20;

    /** The maximum size of a question in bytes, without the request's number. */
    private static final int MAX_OF_A_QUESTION = ToRuntime.AskSource.MAX_BYTES - 32;

    private static final class Pending {
        private final CompletableFuture<byte[]> answer = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    }

    private final Map<Long, Pending> pending = new HashMap<>();
    private long lastRequest;
    private OutpostException ended;

    public CompletableFuture<byte[]> ask(SourceQuestion question, Delivery delivery) {
        if (question.getSerializedSize() > MAX_OF_A_QUESTION) {
            return CompletableFuture.failedFuture(new OutpostException(
                    FaultKind.USER,
                    "a question about sources is over " + MAX_OF_A_QUESTION + " bytes: "
                            + question.getSerializedSize()));
        }
        return asking(request -> delivery.ask(SourceRequest.newBuilder()
                .setRequest(request)
                .setQuestion(question)
                .build()));
    }

    /** @param model everything except the request's number */
    CompletableFuture<byte[]> save(SaveRequest.Builder model, Delivery delivery) {
        return asking(request -> delivery.save(model.setRequest(request).build()));
    }

    /** @param state everything except the request's number */
    CompletableFuture<byte[]> save(SaveState.Builder state, Delivery delivery) {
        return asking(request ->
                delivery.request(ToRuntime.Request.of(state.setRequest(request).build())));
    }

    /** @param state everything except the request's number */
    CompletableFuture<byte[]> restore(RestoreState.Builder state, Delivery delivery) {
        return asking(request ->
                delivery.request(ToRuntime.Request.of(state.setRequest(request).build())));
    }

    CompletableFuture<byte[]> own(Own.Builder own, Delivery delivery) {
        return asking(request ->
                delivery.request(ToRuntime.Request.of(own.setRequest(request).build())));
    }

    /** @param states everything except the request's number */
    CompletableFuture<byte[]> delete(DeleteStates.Builder states, Delivery delivery) {
        return asking(request ->
                delivery.request(ToRuntime.Request.of(states.setRequest(request).build())));
    }

    /** Returns a future that completes when the questions of this moment are answered, or have failed. */
    synchronized CompletableFuture<Void> answersToAll() {
        return CompletableFuture.allOf(pending.values().stream()
                .map(asked -> asked.answer.handle((answer, failure) -> null))
                .toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<byte[]> asking(LongConsumer send) {
        Pending asked = new Pending();
        long request;
        synchronized (this) {
            if (ended != null) {
                return CompletableFuture.failedFuture(ended);
            }
            request = ++lastRequest;
            pending.put(request, asked);
        }
        send.accept(request);
        return asked.answer;
    }

    void answered(SourceAnswered piece) {
        Pending asked;
        synchronized (this) {
            asked = known(piece.getRequest());
            if (piece.getPiece().size() > MAX_OF_AN_ANSWER - asked.bytes.size()) {
                throw new MalformedException("an answer about sources is over " + MAX_OF_AN_ANSWER + " bytes");
            }
            asked.bytes.writeBytes(piece.getPiece().toByteArray());
            if (!piece.getLast()) {
                return;
            }
            pending.remove(piece.getRequest());
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

    /** Ends the session: pending and later questions fail with the reason. */
    synchronized void end(OutpostException reason) {
        ended = reason;
        pending.values().forEach(each -> each.answer.completeExceptionally(reason));
        pending.clear();
    }
}
