package dev.outpost.cli.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.cuda.check.CheckOutcome;
import dev.outpost.runtime.cuda.check.CheckResult;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Runs the checks on the loopback interface with otherwise unused ports. */
class LanChecksTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final Duration SHORT = Duration.ofMillis(300);

    private static int freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void questionComesBackAndNobodyElseAnswers() throws IOException {
        CheckResult result = LanChecks.multicast(HERE, freePort(), SHORT);
        assertEquals(CheckOutcome.ABSENT, result.outcome(), result::toString);
        assertTrue(
                result.detail().startsWith("sent, and received by this host; nothing came from others"),
                result::detail);
        assertTrue(result.remedy().contains("doctor --lan on a host of a worker"), result::remedy);
    }

    @Test
    void portThatIsNotSharedIsNamed() throws IOException {
        DatagramSocket holder = new DatagramSocket(null);
        try (holder) {
            holder.setReuseAddress(false);
            holder.bind(new InetSocketAddress(0));
            CheckResult result = LanChecks.multicast(HERE, holder.getLocalPort(), SHORT);
            assertEquals(CheckOutcome.FAILED, result.outcome(), result::toString);
            assertTrue(result.detail().contains("is held by a program that does not share it"), result::detail);
        }
    }

    @Test
    void portOfAWorkerIsFreeOrInUse() throws IOException {
        int port;
        try (ServerSocket held = new ServerSocket(0)) {
            port = held.getLocalPort();
            assertEquals(CheckOutcome.ABSENT, LanChecks.port(port).outcome());
        }
        assertEquals(CheckOutcome.OK, LanChecks.port(port).outcome());
    }
}
