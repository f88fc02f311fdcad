package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.protocol.message.ClientState;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.Keep;
import dev.outpost.protocol.message.KeptSession;
import dev.outpost.protocol.message.KeptValue;
import dev.outpost.protocol.message.Own;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.session.grant.GrantAccount;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions of one owner follow each other, and the named values move. */
class SessionOwnersTest extends RuntimeTest {
    private static final ByteString OWNER = ByteString.copyFrom(new byte[32]);

    private static KeptSession own(WireClient client) throws InterruptedException, InvalidProtocolBufferException {
        client.control(ToRuntime.Request.of(
                Own.newBuilder().setRequest(1).setOwner(OWNER).build()));
        ToClient.Reply answer = assertInstanceOf(ToClient.Reply.class, client.take());
        assertTrue(answer.reply().hasSourceAnswered(), answer::toString);
        return KeptSession.parseFrom(answer.reply().getSourceAnswered().getPiece());
    }

    private static void keep(WireClient client, String name, long value) {
        client.control(ToRuntime.Request.of(Keep.newBuilder()
                .addValues(KeptValue.newBuilder().setName(name).setValue(value))
                .setClient(ClientState.newBuilder().setRandomDraws(7))
                .build()));
    }

    @Test
    void namedValuesMoveAndAllOthersAreFreed() throws Exception {
        WireClient first = WireClient.connected(host);
        assertFalse(own(first).getFound());
        first.run(new SegmentBuilder().floats(1, 1, 2, 3));
        first.run(new SegmentBuilder().floats(2, 4, 5, 6));
        keep(first, "x", 1);
        first.free(1);
        WireClient second = WireClient.connected(host);
        KeptSession kept = own(second);
        assertTrue(kept.getFound());
        assertEquals(7, kept.getClient().getRandomDraws());
        assertEquals(
                List.of("x"),
                kept.getValuesList().stream().map(KeptValue::getName).toList());
        assertEquals(End.Cause.TAKEN_OVER, first.lastWord().getCause());
        assertEquals(12, host.stats().load().liveBytes());
        assertEquals(12, second.fetch(1, 1).bytes().length);
        second.free(1);
        WireClient third = WireClient.connected(host);
        assertTrue(own(third).getFound(), "the name holds the value");
        assertEquals(12, third.fetch(1, 1).bytes().length);
    }

    @Test
    void aValueIsHeldUntilItsNameMeansAnother() throws Exception {
        WireClient client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2, 3));
        keep(client, "x", 1);
        client.free(1);
        client.run(new SegmentBuilder().floats(2, 4, 5));
        keep(client, "x", 2);
        assertEquals(8, client.fetch(1, 2).bytes().length);
        assertEquals(8, host.stats().load().liveBytes());
    }

    @Test
    void anotherGrantDoesNotGetTheValues() throws Exception {
        WireClient first = WireClient.connected(host);
        own(first);
        first.run(new SegmentBuilder().floats(1, 1, 2, 3));
        keep(first, "x", 1);
        String hash = "ab".repeat(32);
        host.grantBook().bind(hash, GrantTerms.ALL);
        GrantAccount other =
                host.grantBook().find(HexFormat.of().parseHex(hash)).orElseThrow();
        assertFalse(own(WireClient.connected(host, other)).getFound());
        assertEquals(12, first.fetch(1, 1).bytes().length, "the session of the owner goes on");
    }

    @Test
    void anOwnerOfAnotherSizeIsMalformed() throws Exception {
        WireClient client = WireClient.connected(host);
        client.control(ToRuntime.Request.of(
                Own.newBuilder().setOwner(ByteString.copyFromUtf8("short")).build()));
        assertTrue(client.end().getMessage().contains("an owner has 32 bytes, got 5"));
    }
}
