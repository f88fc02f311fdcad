package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.runtime.session.grant.GrantStats;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.types.FaultKind;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the total limits of a grant's sessions, while sessions of other grants and of the owner continue. */
class GrantedSessionsTest extends RuntimeTest {
    private static final String HASH = "ab".repeat(32);
    private static final String OTHER = "cd".repeat(32);
    private static final int FLOATS = 1000;

    private GrantAccount bind(String hash, GrantTerms terms) {
        host.grantBook().bind(hash, terms);
        return host.grantBook().find(HexFormat.of().parseHex(hash)).orElseThrow();
    }

    private static void fill(WireClient client, long id) {
        client.run(new SegmentBuilder().full(id, 1, FLOATS));
    }

    private String failure(WireClient client, long id) throws InterruptedException {
        return client.fetchFailing(1, id).getFault().getMessage();
    }

    @Test
    void itsSessionsShareItsMemoryAndOthersAreNotTouched() throws InterruptedException {
        GrantAccount small = bind(HASH, GrantTerms.ALL.withMemoryBytes(6_000));
        WireClient first = WireClient.connected(host, small);
        WireClient second = WireClient.connected(host, small);
        WireClient owner = WireClient.connected(host);
        fill(first, 1);
        first.progress(1);
        fill(second, 1);
        String refused = failure(second, 1);
        assertTrue(refused.contains("free 2000 of 6000 bytes of the grant, which all its sessions share"), refused);
        fill(owner, 1);
        owner.progress(1);
        first.free(1);
        FairTurnsTest.awaitThat(() -> host.stats().load().liveBytes() == 4L * FLOATS);
        second.run(new SegmentBuilder().full(2, 1, FLOATS));
        assertEquals(4 * FLOATS, second.fetch(2, 2).bytes().length);
    }

    @Test
    void aClientIsToldOfTheGrantsMemory() throws InterruptedException {
        WireClient client = new WireClient(host, bind(HASH, GrantTerms.ALL.withMemoryBytes(6_000)));
        client.connect(false);
        assertEquals(6_000, client.welcome().getQuotaBytes());
        WireClient owner = new WireClient(host);
        owner.connect(false);
        assertEquals(QUOTA, owner.welcome().getQuotaBytes());
    }

    @Test
    void moreMemoryCanBeGrantedWhileASessionRuns() throws InterruptedException {
        WireClient client = WireClient.connected(host, bind(HASH, GrantTerms.ALL.withMemoryBytes(3_000)));
        fill(client, 1);
        assertTrue(failure(client, 1).contains("3000 bytes of the grant"));
        bind(HASH, GrantTerms.ALL.withMemoryBytes(5_000));
        client.run(new SegmentBuilder().full(2, 1, FLOATS));
        assertEquals(4 * FLOATS, client.fetch(2, 2).bytes().length);
    }

    @Test
    void itHasAsManySessionsAsItSaysAtOnce() throws InterruptedException {
        GrantAccount one = bind(HASH, GrantTerms.ALL.withSessions(1));
        WireClient first = WireClient.connected(host, one);
        WireClient second = new WireClient(host, one);
        second.connect(false);
        Fault refused = second.end();
        assertEquals(FaultKind.RESOURCES, FaultMessages.kind(refused));
        assertEquals(
                "the grant has 1 sessions open already: close a session, or ask for a grant of more",
                refused.getMessage());
        assertEquals(1, host.stats().refusals().get(RuntimeLimit.GRANT_SESSIONS));
        WireClient.connected(host, bind(OTHER, GrantTerms.ALL.withSessions(1)));
        first.goodbye();
        WireClient.connected(host, one);
    }

    @Test
    void revokedGrantEndsItsSessionsOnly() throws InterruptedException {
        GrantAccount gone = bind(HASH, GrantTerms.ALL);
        WireClient client = WireClient.connected(host, gone);
        WireClient other = WireClient.connected(host, bind(OTHER, GrantTerms.ALL));
        host.grantBook().revoke(HASH);
        Fault end = client.end();
        assertEquals("the grant was revoked: ask for another one, and begin a new session", end.getMessage());
        WireClient late = new WireClient(host, gone);
        late.connect(false);
        assertEquals("the grant was revoked: ask for another one", late.end().getMessage());
        other.run(new SegmentBuilder().full(1, 3, 1));
        assertArrayEquals(SegmentBuilder.bytes(3), other.fetch(1, 1).bytes());
    }

    @Test
    void expiredGrantEndsItsSessions() throws InterruptedException {
        GrantAccount brief =
                bind(HASH, GrantTerms.ALL.withExpires(runtime.grants().now().plusMillis(300)));
        WireClient client = WireClient.connected(host, brief);
        assertTrue(client.end().getMessage().startsWith("the grant has expired at "));
    }

    @Test
    void onlyItsOwnGrantTakesASessionUpAgain() throws InterruptedException {
        GrantAccount own = bind(HASH, GrantTerms.ALL);
        WireClient client = WireClient.connected(host, own);
        fill(client, 1);
        client.progress(1);
        WireClient thief = new WireClient(host, client.id, bind(OTHER, GrantTerms.ALL));
        thief.connect(true);
        assertTrue(thief.end().getMessage().contains("does not know the session"));
        client.cut();
        client.connect(true);
        client.welcome();
        assertEquals(4 * FLOATS, client.fetch(1, 1).bytes().length);
    }

    @Test
    void itIsToldHowAGrantIsUsed() throws InterruptedException {
        GrantAccount used = bind(HASH, GrantTerms.ALL.withProject("acme/vision"));
        bind(OTHER, GrantTerms.ALL);
        engine.cost(dev.outpost.protocol.op.Unary.NEG, Duration.ofMillis(7));
        WireClient client = WireClient.connected(host, used);
        fill(client, 1);
        client.run(new SegmentBuilder().neg(2, 1));
        client.progress(2);
        List<GrantStats> stats = host.grants();
        GrantStats mine = stats.getFirst();
        assertEquals(HASH, mine.tokenSha256());
        assertEquals("acme/vision", mine.terms().project());
        assertEquals(1, mine.sessions());
        assertEquals(8L * FLOATS, mine.liveBytes());
        assertTrue(mine.engineNanos() >= Duration.ofMillis(7).toNanos(), mine::toString);
        assertTrue(mine.lastSeen().isPresent());
        GrantStats unused = stats.get(1);
        assertEquals(Optional.empty(), unused.lastSeen());
        assertEquals(0, unused.sessions());
        client.goodbye();
        client.acknowledge();
        FairTurnsTest.awaitThat(() -> host.sessions().isEmpty());
        GrantStats after = host.grants().getFirst();
        assertEquals(mine.engineNanos(), after.engineNanos(), "what a session had counts when it is gone");
        assertEquals(0, after.liveBytes());
        assertEquals(0, after.sessions());
    }
}
