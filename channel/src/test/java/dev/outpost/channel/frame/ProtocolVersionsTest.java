package dev.outpost.channel.frame;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.protocol.message.Feature;
import dev.outpost.protocol.message.Hello;
import dev.outpost.protocol.message.Welcome;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ProtocolVersionsTest {
    private static final Set<Feature> ALL = Set.of(Feature.EXPLAIN, Feature.TRACE, Feature.PACKED_BULK);

    private static Hello hello(ProtocolVersions versions) {
        return ConnectionMessages.hello(new UUID(1, 2), false, new long[2], versions);
    }

    private static ProtocolVersions of(int oldest, int newest) {
        return new ProtocolVersions(oldest, newest, ALL);
    }

    @Test
    void twoSidesSpeakTheNewestVersionThatBothKnow() {
        assertEquals(Optional.of(new NegotiatedProtocol(1, ALL)), of(0, 1).agree(hello(of(0, 1))));
        assertEquals(Optional.of(new NegotiatedProtocol(1, ALL)), of(0, 1).agree(hello(of(1, 2))));
        assertEquals(Optional.of(new NegotiatedProtocol(1, ALL)), of(1, 2).agree(hello(of(0, 1))));
        assertEquals(Optional.of(new NegotiatedProtocol(7, ALL)), of(0, 7).agree(hello(of(2, 9))));
    }

    @Test
    void aSideTwoVersionsNewerHasNoneInCommon() {
        assertEquals(Optional.empty(), of(0, 1).agree(hello(of(2, 3))));
        assertEquals(Optional.empty(), of(2, 3).agree(hello(of(0, 1))));
    }

    /** A peer may write anything. */
    @Test
    void aRangeThatIsNoneIsNoVersionInCommon() {
        Hello said = hello(of(0, 1));
        assertEquals(
                Optional.empty(),
                of(0, 1).agree(said.toBuilder()
                        .setVersions(
                                said.getVersions().toBuilder().setOldest(-1).setNewest(-1))
                        .build()));
        assertEquals(
                Optional.empty(),
                of(0, 1).agree(said.toBuilder()
                        .setVersions(said.getVersions().toBuilder().setOldest(5).setNewest(0))
                        .build()));
    }

    @Test
    void bothUseWhatBothHave() {
        ProtocolVersions plain = of(0, 1).without(Set.of(Feature.EXPLAIN));
        assertEquals(
                Optional.of(new NegotiatedProtocol(1, Set.of(Feature.TRACE, Feature.PACKED_BULK))),
                of(0, 1).agree(hello(plain)));
    }

    @Test
    void aFeatureIsUsedFromItsVersionOn() {
        assertEquals(
                Optional.of(new NegotiatedProtocol(0, Set.of(Feature.EXPLAIN, Feature.TRACE))),
                of(0, 1).agree(hello(of(0, 0))));
        assertEquals(Set.of(Feature.EXPLAIN, Feature.TRACE), of(0, 1).upTo(0).features());
    }

    @Test
    void featuresOfNewerBuildsAreLeftAside() {
        Hello newer = hello(of(0, 1)).toBuilder().addFeaturesValue(77).build();
        assertEquals(Optional.of(new NegotiatedProtocol(1, ALL)), of(0, 1).agree(newer));
    }

    @Test
    void aChoiceThatThisSideCannotSpeakIsMalformed() {
        Welcome welcome = ConnectionMessages.welcome(new long[2], 1, 1, "", new NegotiatedProtocol(2, Set.of()));
        assertMalformed("the machine chose protocol 8.2, this side speaks 8.0 to 8.1", () -> of(0, 1).accept(welcome));
        Welcome packed = ConnectionMessages.welcome(
                new long[2], 1, 1, "", new NegotiatedProtocol(0, Set.of(Feature.PACKED_BULK)));
        assertMalformed(
                "the machine chose [PACKED_BULK], this side has []",
                () -> new ProtocolVersions(0, 0, Set.of()).accept(packed));
    }

    @Test
    void aRangeHasAnEnd() {
        assertThrows(IllegalArgumentException.class, () -> of(2, 1));
        assertEquals("8.0", of(0, 0).toString());
        assertEquals("8.0 to 8.1", ProtocolVersions.CURRENT.toString());
    }
}
