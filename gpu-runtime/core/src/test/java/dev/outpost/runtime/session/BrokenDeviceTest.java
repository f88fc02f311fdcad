package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.types.FaultKind;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The loss of a device ends all sessions with the reason. */
class BrokenDeviceTest {
    private static final Fault LOST =
            FaultMessages.of(FaultKind.EXTERNAL, "the machine's device failed: it fell off the bus");

    private volatile String reason;
    private final RuntimeHost host = new RuntimeHost(
            new EngineOnTop() {
                @Override
                public Optional<String> brokenBy() {
                    return Optional.ofNullable(reason);
                }
            },
            RuntimeSettings.withQuota(1 << 20));

    @AfterEach
    void close() {
        host.close();
        assertEquals(0, host.liveBytes());
    }

    @Test
    void sessionsEndWithItsReasonAndNoNewOneBegins() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 2));
        reason = "it fell off the bus";
        assertEquals(LOST, client.end());
        var newcomer = new WireClient(host);
        newcomer.connect(false);
        assertEquals(LOST, newcomer.lastWord().getFault());
        assertTrue(host.isDraining());
    }
}
