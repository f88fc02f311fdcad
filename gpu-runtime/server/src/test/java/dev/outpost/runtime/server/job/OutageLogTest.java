package dev.outpost.runtime.server.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.URI;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the output of a runner while its backend does not answer. */
@Tag("quick")
class OutageLogTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long nanos;
    private final OutageLog log = new OutageLog(
            URI.create("https://outpost-backend"), new PrintStream(bytes, true, StandardCharsets.UTF_8), () -> nanos);

    private List<String> lines() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void reasonIsPrintedAtOnceAndThenSeldom() {
        log.failed("no route");
        nanos += Duration.ofSeconds(29).toNanos();
        log.failed("no route");
        assertEquals(
                List.of("job: cannot reach the backend at https://outpost-backend: no route; it is tried again"),
                lines());
        nanos += Duration.ofSeconds(1).toNanos();
        log.failed("no route");
        assertEquals(2, lines().size());
    }

    @Test
    void anotherReasonIsPrintedAtOnceAndSoIsTheEnd() {
        log.answered();
        log.failed("no route");
        log.failed("it answers with status 503");
        log.answered();
        log.answered();
        assertEquals(
                List.of(
                        "job: cannot reach the backend at https://outpost-backend: no route; it is tried again",
                        "job: cannot reach the backend at https://outpost-backend: it answers with status 503; it is"
                                + " tried again",
                        "job: the backend at https://outpost-backend answers again"),
                lines());
    }

    @Test
    void failureWithoutAMessageIsNamedByItsClass() {
        ConnectException failure = new ConnectException();
        failure.initCause(new UnresolvedAddressException());
        assertEquals("ConnectException: UnresolvedAddressException", OutageLog.text(failure));
        assertEquals("broken pipe", OutageLog.text(new IOException("broken\npipe", new IOException("broken\npipe"))));
    }
}
