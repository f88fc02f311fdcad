package dev.outpost.client.session;

import dev.outpost.client.failures.Failures;
import dev.outpost.client.failures.PendingExplanations;
import dev.outpost.protocol.message.Fault;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The unanswered requests of a session, and its reports of failures.
 *
 * @param farewell the machine's last message: failures that the program has not seen
 */
public record PendingReplies(
        PendingFetches fetches,
        PendingExplanations explanations,
        SourceReplies sources,
        PeerReplies peers,
        ScanTable scans,
        Failures failures,
        CompletableFuture<List<Fault>> farewell) {

    PendingReplies(PendingFetches fetches) {
        this(
                fetches,
                new PendingExplanations(),
                new SourceReplies(),
                new PeerReplies(),
                new ScanTable(),
                new Failures(),
                new CompletableFuture<>());
    }

    /** Ends the session: pending and later requests fail with the reason. */
    void end(OutpostException reason) {
        fetches.end(reason);
        explanations.end(reason);
        sources.end(reason);
        peers.end(reason);
        scans.end(reason);
        farewell.completeExceptionally(reason);
    }
}
