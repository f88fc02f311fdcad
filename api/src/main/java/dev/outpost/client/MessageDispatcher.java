package dev.outpost.client;

import dev.outpost.client.profile.SessionProfile;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.Route;
import dev.outpost.types.MalformedException;
import java.util.List;

/** What the machine says, handed to who waits for it. What only a client says is refused. */
final class MessageDispatcher {
    private final String machine;
    private final Ledger ledger;
    private final RemoteMemory memory;
    private final InFlightLimiter gate;
    private final ReadLimit limit;
    private final Replies replies;
    private final Fetches fetches;
    private final Failures failures;
    private final SessionProfile profile;
    private final InstructionLog log;
    private final Runnable stir;

    /**
     * @param machine what errors call it
     * @param limit is told of progress
     * @param replies where answers are waited for
     * @param profile null where nobody profiles
     * @param log null where nothing is logged
     * @param stir told of each message
     */
    MessageDispatcher(
            String machine,
            Ledger ledger,
            RemoteMemory memory,
            InFlightLimiter gate,
            ReadLimit limit,
            Replies replies,
            SessionProfile profile,
            InstructionLog log,
            Runnable stir) {
        this.machine = machine;
        this.ledger = ledger;
        this.memory = memory;
        this.gate = gate;
        this.limit = limit;
        this.replies = replies;
        this.fetches = replies.fetches();
        this.failures = replies.failures();
        this.profile = profile;
        this.log = log;
        this.stir = stir;
    }

    /** Called under a lane's lock: must not block. */
    void deliverControl(Bytes payload) {
        Message.decodeEach(payload, Route.CONTROL_TO_CLIENT, this::take);
    }

    /** As {@link #deliverControl}. */
    void deliverBulk(Bytes payload) {
        Message.decodeEach(payload, Route.BULK_TO_CLIENT, this::take);
    }

    private void take(Message message) {
        stir.run();
        switch (message) {
            case Message.Progress progress -> {
                if (progress.segments() > gate.progress().segments() && progress.segments() <= gate.sealed()) {
                    limit.progressed();
                }
                // Before who waits for it is woken, and asks how much that is.
                memory.reported(progress);
                gate.progress(progress);
            }
            case Message.Fetched fetched -> fetches.fetched(fetched);
            case Message.DownloadChunk chunk -> fetches.chunk(chunk);
            case Message.FetchFailed failed -> {
                failures.tell(failed.fault());
                fetches.failed(
                        failed.fetch(), FaultText.exception(failed.fault(), machine, ledger.lost(failed.lost())));
            }
            case Message.Failed failed -> failures.failed(failed.fault());
            case Message.UpdateFailed failed -> failures.failed(failed);
            case Message.Farewell last -> replies.farewell().complete(last.unseen());
            case Message.Explained explained -> {
                limit.progressed();
                replies.explanations().answer(explained);
            }
            case Message.Traced traced -> take(traced);
            case Message.SourceAnswered answered -> {
                limit.progressed();
                replies.sources().answered(answered);
            }
            case Message.SourceFailed failed -> {
                limit.progressed();
                replies.sources().failed(failed.request(), FaultText.exception(failed.fault(), machine, List.of()));
            }
            case Message.Scanned scanned -> {
                limit.progressed();
                replies.scans().scanned(scanned);
                fetches.forgetComplete();
            }
            case Message.PeersAnswered answered -> {
                limit.progressed();
                replies.peers().answered(answered);
            }
            case Message.PeersFailed failed -> {
                limit.progressed();
                replies.peers().failed(failed.request(), FaultText.exception(failed.fault(), machine, List.of()));
            }
            case Message.AskPeers ask -> refuse(message);
            case Message.RunSegment run -> refuse(message);
            case Message.RememberSegment remember -> refuse(message);
            case Message.RepeatSegment repeat -> refuse(message);
            case Message.Fetch fetch -> refuse(message);
            case Message.Free free -> refuse(message);
            case Message.UploadChunk chunk -> refuse(message);
            case Message.Goodbye goodbye -> refuse(message);
            case Message.Explain explain -> refuse(message);
            case Message.ExplainProgram explain -> refuse(message);
            case Message.Trace trace -> refuse(message);
            case Message.DefineProgram define -> refuse(message);
            case Message.RunProgram run -> refuse(message);
            case Message.DropProgram drop -> refuse(message);
            case Message.GrantEmissions grant -> refuse(message);
            case Message.CancelScan cancel -> refuse(message);
            case Message.AskSource ask -> refuse(message);
        }
        if (log != null) {
            log.event("RECV", message.getClass().getSimpleName(), 0, FaultText.summary(message));
        }
    }

    private void take(Message.Traced traced) {
        if (profile == null) {
            refuse(traced);
        }
        profile.answered(traced);
    }

    private static void refuse(Message message) {
        throw new MalformedException("the runtime sent a " + message.getClass().getSimpleName());
    }
}
