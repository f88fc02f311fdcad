package dev.outpost.channel.frame;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.channel.Lane;
import dev.outpost.protocol.CommittedBytes;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Feature;
import dev.outpost.protocol.message.Versions;
import dev.outpost.types.FaultKind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of each version of the protocol, as builds of that version wrote them, are still read. */
@Tag("quick")
class CommittedFramesTest {
    private static final ProtocolVersions OF_8_0 = new ProtocolVersions(0, 0, Set.of(Feature.EXPLAIN, Feature.TRACE));
    private static final ProtocolVersions OF_8_1 =
            new ProtocolVersions(0, 1, Set.of(Feature.EXPLAIN, Feature.TRACE, Feature.PACKED_BULK));

    private static Map<String, Frame> samples(String version) {
        boolean isFirst = version.equals("8.0");
        ProtocolVersions versions = isFirst ? OF_8_0 : OF_8_1;
        Map<String, Frame> samples = new LinkedHashMap<>();
        samples.put("Data", new Frame.Data(Lane.BULK, 300, 299, new byte[] {1, -2, 3}));
        samples.put("Ack", new Frame.Ack(Lane.CONTROL, Long.MAX_VALUE));
        samples.put(
                "Hello",
                Frame.Connection.of(ConnectionMessages.hello(new UUID(-1, 2), true, new long[] {3, 400}, versions)));
        samples.put(
                "Welcome",
                Frame.Connection.of(ConnectionMessages.welcome(
                        new long[] {500, 6},
                        30_000,
                        1L << 40,
                        "one H200",
                        new NegotiatedProtocol(versions.newest(), versions.features()))));
        samples.put(
                "Idle",
                Frame.Connection.of(ConnectionMessages.end(
                        FaultMessages.of(FaultKind.EXTERNAL, "idle for 10 min"), End.Cause.IDLE)));
        samples.put(
                "Refusal",
                Frame.Connection.of(
                        ConnectionMessages.end(FaultMessages.of(FaultKind.USER, "too new"), End.Cause.VERSION)
                                .toBuilder()
                                .setVersions(Versions.newBuilder().setOldest(1).setNewest(2))
                                .build()));
        if (!isFirst) {
            samples.put("Packed", BulkCompressionTest.packed(new float[] {1, 2, 3, 4, 5, 6, 7, 8}));
        }
        return samples;
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.0", "8.1"})
    void framesOfEachVersionAreRead(String version) {
        Map<String, Frame> samples = samples(version);
        Map<String, byte[]> today = new LinkedHashMap<>();
        samples.forEach((name, frame) -> today.put(name, frame.encode()));
        Map<String, byte[]> committed = CommittedBytes.read(getClass(), "frames-" + version + ".txt", today);
        assertEquals(samples.keySet(), committed.keySet());
        samples.forEach((name, frame) -> assertRead(frame, committed.get(name)));
    }

    /** Data and acknowledgements have one encoding; protobuf and compressed data may be encoded differently. */
    private static void assertRead(Frame expected, byte[] committed) {
        switch (Frame.decode(committed)) {
            case Frame.Connection connection -> assertEquals(expected, connection);
            case Frame.Packed packed ->
                assertArrayEquals(
                        ((Frame.Packed) expected).unpack().encode(),
                        packed.unpack().encode());
            case Frame.Data data -> {
                assertArrayEquals(committed, expected.encode());
                assertArrayEquals(committed, data.encode());
            }
            case Frame.Ack ack -> {
                assertArrayEquals(committed, expected.encode());
                assertEquals(expected, ack);
            }
        }
    }
}
