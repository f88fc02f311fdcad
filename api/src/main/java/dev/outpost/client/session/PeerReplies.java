package dev.outpost.client.session;

import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.message.PeerRequest;
import dev.outpost.protocol.message.PeersAnswered;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The machine's answers about the group of which it is a member. Thread-safe. */
final class PeerReplies {
    /** An answer is an address, or empty. */
    private static final int MAX_BYTES = 64 * 1024;

    private final Map<Long, CompletableFuture<byte[]>> pending = new HashMap<>();
    private long lastRequest;
    private OutpostException ended;

    CompletableFuture<byte[]> ask(PeerQuestion question, Delivery delivery) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        long request;
        synchronized (this) {
            if (ended != null) {
                return CompletableFuture.failedFuture(ended);
            }
            request = ++lastRequest;
            pending.put(request, answer);
        }
        delivery.ask(PeerRequest.newBuilder()
                .setRequest(request)
                .setQuestion(question)
                .build());
        return answer;
    }

    void answered(PeersAnswered answered) {
        CompletableFuture<byte[]> answer = taken(answered.getRequest());
        if (answered.getAnswer().size() > MAX_BYTES) {
            throw new MalformedException("an answer about peers has "
                    + answered.getAnswer().size() + " bytes, expected " + MAX_BYTES + " at most");
        }
        answer.complete(answered.getAnswer().toByteArray());
    }

    void failed(long request, OutpostException problem) {
        taken(request).completeExceptionally(problem);
    }

    private synchronized CompletableFuture<byte[]> taken(long request) {
        CompletableFuture<byte[]> answer = pending.remove(request);
        if (answer == null) {
            throw new MalformedException("question " + request + " about peers was never asked");
        }
        return answer;
    }

    /** Ends the session: pending and later questions fail with the reason. */
    synchronized void end(OutpostException reason) {
        ended = reason;
        pending.values().forEach(each -> each.completeExceptionally(reason));
        pending.clear();
    }
}
