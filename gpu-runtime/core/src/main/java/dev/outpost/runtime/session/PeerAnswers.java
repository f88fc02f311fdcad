package dev.outpost.runtime.session;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.peer.PeerQuestion;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Answers what a session asks about its group. Other members may be slow to come, so each question has a thread of its own. */
final class PeerAnswers {
    private static final int MOST_AT_ONCE = 4;

    private final SessionContext workspace;
    private final ReliableLane control;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    PeerAnswers(SessionContext workspace, ReliableLane control) {
        this.workspace = workspace;
        this.control = control;
    }

    /** Does not wait. Bytes that are no question are a {@link MalformedException}. */
    void answer(Message.AskPeers ask) {
        PeerQuestion question = PeerQuestion.decode(ask.question());
        workspace.peers().expect();
        if (threads.size() >= MOST_AT_ONCE) {
            throw new MalformedException("over " + MOST_AT_ONCE + " questions about peers at once");
        }
        Thread thread = Thread.ofVirtual()
                .name("outpost-peers-" + workspace.session())
                .unstarted(() -> run(ask.request(), question));
        threads.add(thread);
        thread.start();
    }

    /** Nobody wants the answers any more. */
    void close() {
        threads.forEach(Thread::interrupt);
    }

    private void run(long request, PeerQuestion question) {
        try {
            control.send(answered(request, question).encode());
        } catch (InterruptedException | OutpostException over) {
            // The session is over, and whoever ended it has said why.
        } finally {
            threads.remove(Thread.currentThread());
        }
    }

    private Message answered(long request, PeerQuestion question) throws InterruptedException {
        try {
            return new Message.PeersAnswered(request, workspace.peers().answer(question));
        } catch (IOException external) {
            String text = external.getMessage() == null ? external.toString() : external.getMessage();
            return new Message.PeersFailed(request, Fault.of(FaultKind.EXTERNAL, text));
        } catch (OutpostException refused) {
            return new Message.PeersFailed(request, Fault.of(refused.kind(), refused.getMessage()));
        } catch (RuntimeException | Error defect) {
            workspace.machine().defects().report("a question about peers failed", defect);
            return new Message.PeersFailed(
                    request, Fault.of(FaultKind.INTERNAL, "a question about peers failed: " + defect));
        }
    }
}
