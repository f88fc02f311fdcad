package dev.outpost.client.session;

import dev.outpost.client.failures.Failures;
import dev.outpost.client.failures.FaultText;
import dev.outpost.client.profile.SessionProfile;
import dev.outpost.client.record.RecordingState;
import dev.outpost.client.record.RemoteMemory;
import dev.outpost.client.waits.InFlightLimiter;
import dev.outpost.client.waits.ReadLimit;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.log.InstructionLog;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FetchFailed;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.PeersFailed;
import dev.outpost.protocol.message.RuntimeReply;
import dev.outpost.protocol.message.SourceFailed;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.Traced;
import dev.outpost.types.MalformedException;
import java.util.List;
import java.util.function.Predicate;

/** Hands each message of the machine to the part of the client that waits for it. */
final class MessageDispatcher {
    private final String machine;
    private final RecordingState recording;
    private final RemoteMemory memory;
    private final InFlightLimiter limiter;
    private final ReadLimit limit;
    private final PendingReplies replies;
    private final PendingFetches fetches;
    private final Failures failures;
    private final Predicate<Fault> endsAll;
    private final SessionProfile profile;
    private final InstructionLog log;
    private final Runnable stir;
    private final Runnable onEnding;

    /**
     * @param machine the machine's name in errors
     * @param limit the limit of waiting, which each message resets
     * @param replies the pending requests
     * @param endsAll returns true if a fault ends the session; waiting threads then get the reason for the end, not the fault
     * @param profile null if nothing is profiled
     * @param log null if nothing is logged
     * @param stir called for each message
     * @param onEnding called if the machine will end soon; must not block
     */
    MessageDispatcher(
            String machine,
            RecordingState recording,
            RemoteMemory memory,
            InFlightLimiter limiter,
            ReadLimit limit,
            PendingReplies replies,
            Predicate<Fault> endsAll,
            SessionProfile profile,
            InstructionLog log,
            Runnable stir,
            Runnable onEnding) {
        this.machine = machine;
        this.recording = recording;
        this.memory = memory;
        this.limiter = limiter;
        this.limit = limit;
        this.replies = replies;
        this.fetches = replies.fetches();
        this.failures = replies.failures();
        this.endsAll = endsAll;
        this.profile = profile;
        this.log = log;
        this.stir = stir;
        this.onEnding = onEnding;
    }

    /** Handles a message of the control lane. Called under the lane's lock, so it must not block. */
    void deliverControl(Bytes payload) {
        Message.decodeEachSized(payload, ToClient.Control.class, this::deliver);
    }

    /** Handles a message of the bulk lane. Called under the lane's lock, so it must not block. */
    void deliverBulk(Bytes payload) {
        Message.decodeEachSized(payload, ToClient.DownloadChunk.class, this::deliver);
    }

    private void deliver(ToClient message, int bytes) {
        stir.run();
        if (log != null) {
            // The message is logged before it wakes a thread, so that the lines of that thread follow.
            log.message("RECV", message, bytes);
        }
        take(message);
    }

    private void take(ToClient message) {
        switch (message) {
            case ToClient.Progress progress -> take(progress);
            case ToClient.Fetched fetched -> fetches.fetched(fetched);
            case ToClient.DownloadChunk chunk -> fetches.chunk(chunk);
            case ToClient.Reply told -> take(told.reply());
            case ToClient.Scanned scanned -> {
                limit.progressed();
                replies.scans().scanned(scanned);
                fetches.forgetComplete();
            }
        }
    }

    private void take(ToClient.Progress progress) {
        if (progress.segments() > limiter.progress().segments() && progress.segments() <= limiter.sealed()) {
            limit.progressed();
        }
        // This comes before waiting threads wake up and read the number.
        memory.reported(progress);
        limiter.progress(progress);
    }

    private void take(RuntimeReply reply) {
        switch (reply.getKindCase()) {
            case FETCH_FAILED -> take(reply.getFetchFailed());
            case FAILED -> {
                if (!endsAll.test(reply.getFailed().getFault())) {
                    failures.failed(reply.getFailed().getFault());
                }
            }
            case UPDATE_FAILED -> {
                if (!endsAll.test(reply.getUpdateFailed().getFault())) {
                    failures.failed(reply.getUpdateFailed());
                }
            }
            case FAREWELL ->
                replies.farewell()
                        .complete(reply.getFarewell().getUnseenList().stream()
                                .filter(endsAll.negate())
                                .toList());
            case EXPLAINED -> {
                limit.progressed();
                replies.explanations().answer(reply.getExplained());
            }
            case TRACED -> take(reply.getTraced());
            case SOURCE_ANSWERED -> {
                limit.progressed();
                replies.sources().answered(reply.getSourceAnswered());
            }
            case SOURCE_FAILED -> take(reply.getSourceFailed());
            case PEERS_ANSWERED -> {
                limit.progressed();
                replies.peers().answered(reply.getPeersAnswered());
            }
            case PEERS_FAILED -> take(reply.getPeersFailed());
            case ENDING -> onEnding.run();
            case KIND_NOT_SET -> throw new IllegalStateException("a reply without a kind is not read");
        }
    }

    private void take(FetchFailed failed) {
        if (endsAll.test(failed.getFault())) {
            return;
        }
        if (fetches.isPeek(failed.getFetch())) {
            // The machine regards the failure as reported and does not send it again at the end of the session.
            failures.failed(failed.getFault());
        } else {
            failures.report(failed.getFault());
        }
        long[] lost = failed.getLostList().stream().mapToLong(Long::longValue).toArray();
        fetches.failed(failed.getFetch(), FaultText.exception(failed.getFault(), machine, recording.lost(lost)));
    }

    private void take(SourceFailed failed) {
        limit.progressed();
        replies.sources().failed(failed.getRequest(), FaultText.exception(failed.getFault(), machine, List.of()));
    }

    private void take(PeersFailed failed) {
        limit.progressed();
        replies.peers().failed(failed.getRequest(), FaultText.exception(failed.getFault(), machine, List.of()));
    }

    private void take(Traced traced) {
        if (profile == null) {
            throw new MalformedException("the runtime sent a trace that was not asked for");
        }
        profile.answered(traced);
    }
}
