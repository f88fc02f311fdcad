package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.message.PeerRequest;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.peer.LocalPeerNetwork;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.grant.GrantBook;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A member whose engine cannot read what it is to give tells the others, who lose the result and do not wait. */
class GroupReadFailureTest {
    private static final int UNREADABLE = 7;

    /** Arrays of seven elements cannot be read. */
    private static final class UnreadableEngine extends EngineOnTop {
        @Override
        public void read(Array source, long first, int count, byte[] target, int at) {
            if (count == UNREADABLE) {
                throw new IllegalStateException("the device is gone");
            }
            super.read(source, first, count, target, at);
        }
    }

    @Test
    void aFailedReadOfOneMemberIsTheFaultOfAll() throws InterruptedException {
        LocalPeerNetwork network = new LocalPeerNetwork();
        RuntimeSettings settings = RuntimeSettings.withQuota(1 << 20);
        try (RuntimeHost broken = new RuntimeHost(
                        new UnreadableEngine(), settings, new GrantBook(InstantSource.system()), network);
                RuntimeHost whole = new RuntimeHost(
                        new FailingEngine(), settings, new GrantBook(InstantSource.system()), network)) {
            List<WireClient> members = List.of(WireClient.connected(broken), WireClient.connected(whole));
            join(members);
            for (WireClient member : members) {
                member.run(
                        new Recorder().full(1, 2, UNREADABLE).add(sum(), 2, 1).full(3, 5, 1));
            }
            for (WireClient member : members) {
                String told = member.fetchFailing(1, 2).getFault().getMessage();
                assertTrue(told.contains("the device is gone"), told);
                // What it did not touch is there.
                member.fetch(2, 3);
            }
        }
    }

    private static Collective sum() {
        return new Collective(
                Collective.Fn.ALL_REDUCE,
                new TensorType(DType.FLOAT32, Shape.of(UNREADABLE)),
                List.of(0, 1),
                Optional.empty(),
                Optional.empty(),
                1,
                1);
    }

    private static void join(List<WireClient> members) throws InterruptedException {
        List<String> addresses = new ArrayList<>();
        for (int rank = 0; rank < members.size(); rank++) {
            addresses.add(ask(
                    members.get(rank),
                    PeerQuestion.newBuilder()
                            .setOpen(PeerQuestion.Open.newBuilder()
                                    .setGroup("g")
                                    .setKey("secret")
                                    .setRank(rank)
                                    .setSize(members.size()))
                            .build()));
        }
        for (WireClient member : members) {
            ask(
                    member,
                    PeerQuestion.newBuilder()
                            .setJoin(PeerQuestion.Join.newBuilder()
                                    .addAllAddresses(addresses)
                                    .setPatienceMillis(120_000))
                            .build());
        }
    }

    private static String ask(WireClient member, PeerQuestion question) throws InterruptedException {
        member.control(new ToRuntime.AskPeers(
                PeerRequest.newBuilder().setRequest(1).setQuestion(question).build()));
        return member.take(ToClient.Reply.class)
                .reply()
                .getPeersAnswered()
                .getAnswer()
                .toStringUtf8();
    }
}
