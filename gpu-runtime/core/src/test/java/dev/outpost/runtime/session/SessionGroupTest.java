package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.rpc.MemberSnapshot;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.message.PeerRequest;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerRendezvous;
import dev.outpost.runtime.peer.network.LocalPeerNetwork;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.grant.GrantRegistry;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests sessions that are members of a group. */
class SessionGroupTest {
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

    /** The others lose the result and do not wait. */
    @Test
    void aFailedReadOfOneMemberIsTheFaultOfAll() throws InterruptedException {
        LocalPeerNetwork network = new LocalPeerNetwork();
        try (RuntimeHost broken = host(new UnreadableEngine(), network);
                RuntimeHost whole = host(new FailingEngine(), network)) {
            List<WireClient> members = List.of(WireClient.connected(broken), WireClient.connected(whole));
            join(members);
            for (WireClient member : members) {
                member.run(new SegmentBuilder()
                        .full(1, 2, UNREADABLE)
                        .add(sum(1, UNREADABLE), 2, 1)
                        .full(3, 5, 1));
            }
            for (WireClient member : members) {
                String told = member.fetchFailing(1, 2).getFault().getMessage();
                assertTrue(told.contains("the device is gone"), told);
                // Values that the fault did not affect still exist.
                member.fetch(2, 3);
            }
        }
    }

    /** The other member answers the first exchange only when this one has begun the second. */
    @Test
    void aMemberGoesOnWhileItExchanges() throws Exception {
        LocalPeerNetwork network = new LocalPeerNetwork();
        try (RuntimeHost host = host(new UnreadableEngine(), network)) {
            WireClient member = WireClient.connected(host);
            PeerLane lane = byHand(member, network);
            member.run(new SegmentBuilder()
                    .full(1, 2, 3)
                    .add(sum(1, 3), 2, 1)
                    .full(3, 5, 3)
                    .add(sum(2, 3), 4, 3));
            for (long number = 1; number <= 2; number++) {
                lane.expect(number, 1, 0);
                lane.send(PeerMessage.ready(number, 1));
                lane.awaitReady(number);
            }
            for (long number = 1; number <= 2; number++) {
                lane.send(PeerMessage.elements(number, 0, 1, new Slice(new byte[3 * Float.BYTES])));
            }
            assertArrayEquals(SegmentBuilder.bytes(2, 2, 2), member.fetch(1, 2).bytes());
            assertArrayEquals(SegmentBuilder.bytes(5, 5, 5), member.fetch(2, 4).bytes());
        }
    }

    @Test
    void aMemberThatWaitsGivesItsTurnBack() throws Exception {
        LocalPeerNetwork network = new LocalPeerNetwork();
        try (RuntimeHost host = host(new UnreadableEngine(), network)) {
            WireClient member = WireClient.connected(host);
            PeerLane lane = byHand(member, network);
            member.run(new SegmentBuilder().full(1, 2, 3).add(sum(1, 3), 2, 1).neg(3, 2));
            lane.expect(1, 1, 0);
            lane.awaitReady(1);
            WireClient other = WireClient.connected(host);
            other.run(new SegmentBuilder().full(1, 4, 3).neg(2, 1));
            assertArrayEquals(
                    SegmentBuilder.bytes(-4, -4, -4), other.fetch(1, 2).bytes());
            lane.send(PeerMessage.ready(1, 1));
            lane.send(PeerMessage.elements(1, 0, 1, new Slice(new byte[3 * Float.BYTES])));
            assertArrayEquals(
                    SegmentBuilder.bytes(-2, -2, -2), member.fetch(1, 3).bytes());
        }
    }

    /** A watcher of one machine also sees the other machines. */
    @Test
    void aMachineTellsOfTheOtherMembersSessions() throws Exception {
        LocalPeerNetwork network = new LocalPeerNetwork();
        try (RuntimeHost first = host(new FailingEngine(), network);
                RuntimeHost second = host(new FailingEngine(), network)) {
            List<WireClient> members = List.of(WireClient.connected(first), WireClient.connected(second));
            assertEquals(List.of(), first.members());
            join(members);
            members.get(1).run(new SegmentBuilder().full(1, 2, 3));
            members.get(1).fetch(1, 1);
            MemberSnapshot told = first.members().getFirst();
            assertEquals(1, told.getRank());
            assertEquals(first.sessions().getFirst().number(), told.getSession());
            assertEquals(1, told.getSnapshot().getSessions(0).getSegments());
            assertEquals(
                    0, second.members().getFirst().getSnapshot().getSessions(0).getSegments());
        }
    }

    /** The second member's lane to the first. */
    private static PeerLane byHand(WireClient member, LocalPeerNetwork network) throws Exception {
        String address = ask(member, open(0));
        PeerRendezvous entrance = network.open("g", "secret", 1, 2);
        List<String> addresses = List.of(address, entrance.address());
        PeerLane lane = entrance.connect(addresses, Await.GUARD).getFirst();
        ask(member, joining(addresses));
        return lane;
    }

    private static RuntimeHost host(Engine engine, LocalPeerNetwork network) {
        return new RuntimeHost(
                engine, RuntimeSettings.withQuota(1 << 20), new GrantRegistry(InstantSource.system()), network);
    }

    private static Collective sum(long number, int elements) {
        return new Collective(
                Collective.Fn.ALL_REDUCE,
                new TensorType(DType.FLOAT32, Shape.of(elements)),
                List.of(0, 1),
                Optional.empty(),
                Optional.empty(),
                number,
                1);
    }

    private static void join(List<WireClient> members) throws InterruptedException {
        List<String> addresses = new ArrayList<>();
        for (int rank = 0; rank < members.size(); rank++) {
            addresses.add(ask(members.get(rank), open(rank)));
        }
        for (WireClient member : members) {
            ask(member, joining(addresses));
        }
    }

    private static PeerQuestion open(int rank) {
        return PeerQuestion.newBuilder()
                .setOpen(PeerQuestion.Open.newBuilder()
                        .setGroup("g")
                        .setKey("secret")
                        .setRank(rank)
                        .setSize(2))
                .build();
    }

    private static PeerQuestion joining(List<String> addresses) {
        return PeerQuestion.newBuilder()
                .setJoin(PeerQuestion.Join.newBuilder()
                        .addAllAddresses(addresses)
                        .setPatienceMillis(120_000))
                .build();
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
