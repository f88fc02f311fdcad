package dev.outpost.client.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.ProvisioningStep;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ProgressLineTest {
    private static final String WIPE = "\r\u001b[K";

    private final AtomicLong clock = new AtomicLong(1);
    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();

    @Test
    void aQuickStartShowsNothing() {
        ProgressLine line = line(80);
        say(line, MachinePhase.PULLING, "pulling the image");
        pass(1000);
        line.tick();
        line.end();
        assertEquals("", written());
    }

    @Test
    void aSlowStartShowsWhatIsDoneAndForHowLong() {
        ProgressLine line = line(80);
        pass(900);
        say(line, MachinePhase.SCHEDULING, "a node is being added");
        pass(4600);
        line.tick();
        assertEquals(WIPE + "k8s-A100: a node is being added 4 s, 5 s in all", written());
    }

    @Test
    void theTimeGoesOnByItself() {
        ProgressLine line = line(80);
        say(line, MachinePhase.PULLING, "pulling");
        pass(2000);
        line.tick();
        pass(500);
        line.tick();
        pass(500);
        line.tick();
        assertEquals(
                WIPE + "k8s-A100: pulling 2 s, 2 s in all" + WIPE + "k8s-A100: pulling 2 s, 2 s in all" + WIPE
                        + "k8s-A100: pulling 3 s, 3 s in all",
                written());
    }

    @Test
    void theTimeOfAPhaseIsThatOfAllItsWords() {
        ProgressLine line = line(80);
        say(line, MachinePhase.PULLING, "pulling");
        pass(2000);
        say(line, MachinePhase.PULLING, "pulling (50 %)");
        assertEquals(WIPE + "k8s-A100: pulling (50 %) 2 s, 2 s in all", written());
    }

    @Test
    void lineIsErasedAtTheEnd() {
        ProgressLine line = line(80);
        say(line, MachinePhase.PULLING, "pulling");
        pass(2000);
        line.tick();
        line.end();
        line.tick();
        assertTrue(written().endsWith("in all" + WIPE), this::written);
    }

    @Test
    void wordsAreCutShortWhereTheLineWouldNotFit() {
        ProgressLine line = line(40);
        pass(75_000);
        say(line, MachinePhase.SCHEDULING, "0/3 nodes are available: 3 Insufficient nvidia.com/gpu");
        String drawn = written().substring(WIPE.length());
        assertEquals("k8s-A100: 0/3 nodes a… 0 s, 75 s in all", drawn);
        assertEquals(39, drawn.length());
    }

    private ProgressLine line(int columns) {
        return new ProgressLine("k8s-A100", new PrintStream(screen, true, StandardCharsets.UTF_8), columns, clock::get);
    }

    private static void say(ProgressLine line, MachinePhase phase, String text) {
        line.step(new ProvisioningStep(phase, text, Duration.ZERO));
    }

    private void pass(long millis) {
        clock.addAndGet(Duration.ofMillis(millis).toNanos());
    }

    private String written() {
        return screen.toString(StandardCharsets.UTF_8);
    }
}
