package dev.outpost.client.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.support.tests.Await;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ProgressModeTest {
    @Test
    void modeComesFromTheProperty() {
        assertEquals(ProgressMode.LINE, ProgressMode.parse("line"));
        assertEquals(ProgressMode.OFF, ProgressMode.parse(" Off "));
        assertEquals(ProgressMode.AUTO, ProgressMode.parse(""));
    }

    @Test
    void anUnknownModeIsRefusedWithThoseThereAre() {
        var refused = assertThrows(IllegalArgumentException.class, () -> ProgressMode.parse("loud"));
        assertEquals(
                "outpost.progress: expected auto, line, lines, console, log, off, got \"loud\"", refused.getMessage());
    }

    @Test
    void eachModeHasItsView() {
        assertInstanceOf(ProgressLog.class, ProgressMode.LOG.view("m"));
        StartView line = ProgressMode.LINE.view("m");
        assertInstanceOf(TickingLine.class, line);
        line.end();
        assertInstanceOf(ProgressLines.class, ProgressMode.LINES.view("m"));
        ProgressMode.OFF.view("m").step(step(MachinePhase.READY, "it runs", 1));
    }

    @Test
    void theLogHasALineForEachPhase() {
        List<String> log = new ArrayList<>();
        ProgressLog view = new ProgressLog("k8s-A100", log::add);
        view.step(step(MachinePhase.QUEUED, "waiting for quota", 5));
        view.step(step(MachinePhase.QUEUED, "2nd in the queue", 900));
        view.step(step(MachinePhase.PULLING, "pulling the image", 20_100));
        view.step(step(MachinePhase.READY, "it runs", 41_000));
        view.end();
        assertEquals(
                List.of(
                        "k8s-A100: waiting for quota, after 5 ms",
                        "k8s-A100: pulling the image, after 20.1 s",
                        "k8s-A100: it runs, after 41.0 s"),
                log);
    }

    @Test
    void linesTellEachThingThatIsWaitedFor() {
        List<String> lines = new ArrayList<>();
        ProgressLines view = new ProgressLines("k8s-A100", lines::add);
        view.step(step(MachinePhase.QUEUED, "asking for A100", 5));
        view.step(step(MachinePhase.QUEUED, "the quota gpus is used up.", 2100));
        view.step(step(MachinePhase.QUEUED, "the quota gpus is used up.", 4100));
        view.step(step(MachinePhase.PULLING, "pulling the image", 20_100));
        view.end();
        assertEquals(
                List.of(
                        "k8s-A100: asking for A100, after 5 ms",
                        "k8s-A100: the quota gpus is used up., after 2.1 s",
                        "k8s-A100: pulling the image, after 20.1 s"),
                lines);
    }

    /** The clock of the line stands still, but the line is drawn again. */
    @Test
    void theLineIsDrawnWithoutNews() throws InterruptedException {
        AtomicLong clock = new AtomicLong(1);
        ByteArrayOutputStream screen = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(screen, true, StandardCharsets.UTF_8);
        ProgressLine line = new ProgressLine("m", out, 80, clock::get);
        clock.addAndGet(Duration.ofSeconds(2).toNanos());
        TickingLine ticking = new TickingLine(line, Duration.ofMillis(1)).start();
        Await.until("the line is drawn", () -> screen.size() > 0);
        ticking.end();
        String drawn = screen.toString(StandardCharsets.UTF_8);
        assertEquals("m: starting 2 s, 2 s in all", drawn.split("\r\u001b\\[K")[1]);
    }

    private static ProvisioningStep step(MachinePhase phase, String text, long millis) {
        return new ProvisioningStep(phase, text, Duration.ofMillis(millis));
    }
}
