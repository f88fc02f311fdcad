package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.session.context.RuntimeSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A runtime logs the messages and instructions of its sessions in the format of the clients' log. */
class InstructionLogTest extends RuntimeTest {
    private Path file;

    @Override
    RuntimeSettings settings() {
        try {
            file = Files.createTempFile("instructions", ".log");
            return super.settings().withInstructionLog(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void allEventsOfASessionAreListed() throws Exception {
        WireClient client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 2));
        client.fetch(1, 1);
        client.cut();
        client.connect(true);
        client.welcome();
        client.goodbye();
        awaitIdle();
        host.close();
        String log = Files.readString(file);
        for (String line : List.of(
                "LIFE | session 1 | Connect | 0B | protocol",
                "RECV | session 1 | RunSegment |",
                "RUN | session 1 | Segment | 0B | 1 instructions",
                "RUN | session 1 | Instruction | 0B | full",
                "SEND | session 1 | Fetched |",
                "LIFE | session 1 | Disconnect |",
                "LIFE | session 1 | Reconnect |",
                "LIFE | session 1 | End |")) {
            assertTrue(log.contains("| " + line), line + " is missing in\n" + log);
        }
        Files.delete(file);
    }
}
