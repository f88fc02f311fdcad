package dev.outpost.client.session;

import dev.outpost.client.failures.Failures;
import dev.outpost.client.failures.PendingExplanations;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Feature;
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

    /** @param failures the failures of an earlier session with the same values, or none */
    PendingReplies(PendingFetches fetches, Failures failures) {
        this(
                fetches,
                new PendingExplanations(),
                new SourceReplies(),
                new PeerReplies(),
                new ScanTable(),
                failures,
                new CompletableFuture<>());
    }

    /** Fails pending and later requests that the machine cannot answer. */
    void endUnsupported(SessionFeatures features) {
        if (!features.has(Feature.EXPLAIN)) {
            explanations.end(features.lacking("does not tell how values are computed"));
        }
        if (!features.has(Feature.GROUPS)) {
            peers.end(features.lacking("reaches no other machines"));
        }
        if (!features.has(Feature.SOURCES)) {
            sources.end(features.lacking("reads no models by itself"));
        }
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
