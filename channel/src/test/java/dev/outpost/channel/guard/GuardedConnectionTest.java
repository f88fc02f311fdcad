package dev.outpost.channel.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.http.Pace;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedConnectionTest {
    private static final Duration PROGRESS = Duration.ofMillis(200);
    private static final ConnectionLimits LIMITS =
            new ConnectionLimits(4, 4, Duration.ofHours(1), PROGRESS, Duration.ofHours(1), List.of());

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final GuardedConnection connection =
            new GuardedConnection(channel, LIMITS, new ConnectionRegistry<>(4, 4), true);
    private final AtomicLong bytes = new AtomicLong();

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private GuardedConnection.Request begin(boolean hasBody) {
        channel.pipeline().addFirst(connection.handler());
        channel.pipeline().fireChannelActive();
        return connection.begin(hasBody, bytes::get, -1, null).orElseThrow();
    }

    @Test
    void connectionIsBusyOnceTheBodyIsThere() {
        GuardedConnection.Request request = begin(true);
        assertFalse(connection.isBusy());
        request.bodyEnded();
        assertTrue(connection.isBusy());
        request.close();
        assertFalse(connection.isBusy());
    }

    @Test
    void requestWithoutABodyIsBusyAtOnce() {
        begin(false);
        assertTrue(connection.isBusy());
    }

    @Test
    void bodyBelowThePaceEndsTheConnection() throws InterruptedException {
        begin(true);
        long begun = System.nanoTime();
        while (channel.isOpen()) {
            bytes.incrementAndGet();
            Thread.sleep(1);
            channel.runScheduledPendingTasks();
            assertTrue(System.nanoTime() - begun < Duration.ofMinutes(1).toNanos());
        }
    }

    @Test
    void bodyThatKeepsThePaceGoesOn() throws InterruptedException {
        begin(true);
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < 4 * PROGRESS.toNanos()) {
            bytes.addAndGet(Pace.DATA.bytes());
            Thread.sleep(1);
            channel.runScheduledPendingTasks();
        }
        assertTrue(channel.isOpen());
    }

    @Test
    void timeInWhichTheServerReadsNothingDoesNotCount() throws InterruptedException {
        begin(true);
        channel.config().setAutoRead(false);
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < 4 * PROGRESS.toNanos()) {
            Thread.sleep(1);
            channel.runScheduledPendingTasks();
        }
        assertTrue(channel.isOpen());
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "192.0.2.1:5678, 192.0.2.1",
        "[2001:db8::1]:443, 2001:db8::1",
        "[2001:db8::1], 2001:db8::1",
        "2001:db8::1, 2001:db8::1",
        "::ffff:192.0.2.1, 192.0.2.1"
    })
    void forwardedAddressMayHaveAPort(String header, String address) {
        assertEquals(Optional.of(address(address)), ConnectionGuard.forwarded(connection, List.of(header)));
    }

    /** Java would resolve some of these texts by DNS. */
    @ParameterizedTest
    @ValueSource(
            strings = {"300.1.1.1", "1.2.3.4.5", "...", "1", "1.2.3", "localhost", "[1.2.3.4]", "1.2.3.4:", "::g", ""})
    void whatIsNoAddressIsNone(String header) {
        assertEquals(Optional.empty(), ConnectionGuard.forwarded(connection, List.of(header)));
    }

    @Test
    void allLinesOfTheHeaderAreRead() {
        assertEquals(
                Optional.of(address("192.0.2.2")),
                ConnectionGuard.forwarded(connection, List.of("192.0.2.9", "192.0.2.1, 192.0.2.2")));
    }
}
