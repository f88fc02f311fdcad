package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Tensor;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.protocol.message.Feature;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The bytes that leave the client for a group: a segment goes to one member, which passes it on. */
class GroupTrafficTest {
    private static final int SEGMENTS = 8;
    private static final int INSTRUCTIONS = 400;

    /**
     * The bytes of a large segment from the client, without uploads: the median of several segments with different structures. The first
     * ones may be sent before the client knows that the members are connected.
     */
    private static long bytesOf(int members, ProtocolVersions versions) {
        MockProvider provider = new MockProvider(MockSettings.STANDARD.withDialect(versions));
        try (var group = MachineGroup.of(provider, "A100", members, new MachineOptions())) {
            group.awaitReady();
            Tensor x = group.sharded(HostTensor.of(new float[] {1, 2, 3, 4}, 4), 0);
            assertEquals(10.0, x.sum().item());
            long[] bytes = new long[SEGMENTS];
            for (int segment = 0; segment < SEGMENTS; segment++) {
                long before = group.machine().stats().controlBytesOut();
                Tensor y = x;
                for (int step = 0; step < INSTRUCTIONS + segment; step++) {
                    y = y.add(1);
                }
                assertEquals(10.0 + 4.0 * (INSTRUCTIONS + segment), y.sum().item());
                bytes[segment] = group.machine().stats().controlBytesOut() - before;
            }
            Arrays.sort(bytes);
            return bytes[SEGMENTS / 2];
        }
    }

    @Test
    void fourMembersTakeAboutTheBytesOfTwo() {
        long two = bytesOf(2, ProtocolVersions.CURRENT);
        long four = bytesOf(4, ProtocolVersions.CURRENT);
        assertTrue(four < 1.15 * two, () -> four + " bytes for four members, " + two + " for two");
    }

    /** The traffic of members without passed segments, as in earlier versions. */
    @Test
    void membersThatPassNothingOnGetTheirSegmentsFromTheClient() {
        ProtocolVersions lacking = ProtocolVersions.CURRENT.without(Set.of(Feature.PASSED_SEGMENTS));
        long passed = bytesOf(4, ProtocolVersions.CURRENT);
        long sent = bytesOf(4, lacking);
        assertTrue(sent > 2 * passed, () -> sent + " bytes to each of four members, " + passed + " passed on");
    }
}
