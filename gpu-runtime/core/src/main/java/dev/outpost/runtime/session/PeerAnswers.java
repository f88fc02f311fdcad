package dev.outpost.runtime.session;

import com.google.protobuf.UnsafeByteOperations;
import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.message.PeerRequest;
import dev.outpost.protocol.message.PeersAnswered;
import dev.outpost.protocol.message.PeersFailed;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.runtime.session.peer.SessionPeers;
import dev.outpost.runtime.session.run.SessionContext;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Answers a client's questions about the session's group. Other members may be slow, so a virtual thread answers each
 * question.
 */
final class PeerAnswers {
    private static final int MAX_AT_ONCE = 4;

    private final SessionContext context;
    private final ReliableLane control;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    PeerAnswers(SessionContext context, ReliableLane control) {
        this.context = context;
        this.control = control;
    }

    /** Starts to answer. Does not wait for the answer. */
    void answer(PeerRequest ask) {
        SessionPeers peers = context.peers();
        switch (ask.getQuestion().getKindCase()) {
            case OPEN -> peers.expect(ask.getQuestion().getOpen().getGroup());
            // This thread handles the request, so that later questions see its effect.
            case LEAVE -> peers.leave(ask.getQuestion().getLeave().getGroup());
            case JOIN, KIND_NOT_SET -> {
                // The thread below sends the answer.
            }
        }
        if (threads.size() >= MAX_AT_ONCE) {
            throw new MalformedException("over " + MAX_AT_ONCE + " questions about peers at once");
        }
        Thread thread = Thread.ofVirtual()
                .name("outpost-peers-" + context.session())
                .unstarted(() -> run(ask.getRequest(), ask.getQuestion()));
        threads.add(thread);
        thread.start();
    }

    /** Interrupts the threads and drops their answers. */
    void close() {
        threads.forEach(Thread::interrupt);
    }

    private void run(long request, PeerQuestion question) {
        try {
            control.send(answered(request, question).encode());
        } catch (InterruptedException | OutpostException ignored) {
            // The session has ended, and its client has received the reason.
        } finally {
            threads.remove(Thread.currentThread());
        }
    }

    private ToClient.Reply answered(long request, PeerQuestion question) throws InterruptedException {
        try {
            byte[] answer = context.peers().answer(question);
            return ToClient.Reply.of(PeersAnswered.newBuilder()
                    .setRequest(request)
                    .setAnswer(UnsafeByteOperations.unsafeWrap(answer))
                    .build());
        } catch (IOException failure) {
            String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
            return failed(request, FaultMessages.of(FaultKind.EXTERNAL, text));
        } catch (OutpostException failure) {
            return failed(request, FaultMessages.of(failure));
        } catch (RuntimeException | Error failure) {
            context.runtime().internalErrorLog().report("a question about peers failed", failure);
            return failed(request, FaultMessages.of(FaultKind.INTERNAL, "a question about peers failed: " + failure));
        }
    }

    private static ToClient.Reply failed(long request, Fault fault) {
        return ToClient.Reply.of(
                PeersFailed.newBuilder().setRequest(request).setFault(fault).build());
    }
}
