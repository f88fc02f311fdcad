package dev.outpost.client.failures;

import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.Explained;
import dev.outpost.protocol.message.ExplanationMessage;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Explanations that were requested from the machine. */
public final class PendingExplanations {
    /** A request and its answer. */
    public record Asked(long request, CompletableFuture<Optional<Explanation>> answer) {}

    private final Map<Long, CompletableFuture<Optional<Explanation>>> pending = new HashMap<>();
    private long lastRequest;
    private OutpostException ended;

    public synchronized Asked ask() {
        CompletableFuture<Optional<Explanation>> answer = new CompletableFuture<>();
        if (ended != null) {
            answer.completeExceptionally(ended);
        }
        pending.put(++lastRequest, answer);
        return new Asked(lastRequest, answer);
    }

    public void answer(Explained explained) {
        CompletableFuture<Optional<Explanation>> found;
        synchronized (this) {
            found = pending.remove(explained.getRequest());
        }
        if (found == null) {
            throw new MalformedException("explanation " + explained.getRequest() + " was never asked for");
        }
        found.complete(
                explained.hasExplanation()
                        ? Optional.of(ExplanationMessage.read(explained.getExplanation()))
                        : Optional.empty());
    }

    /** Ends the session: pending and later requests fail with the reason. */
    public synchronized void end(OutpostException reason) {
        ended = reason;
        pending.values().forEach(each -> each.completeExceptionally(reason));
        pending.clear();
    }
}
