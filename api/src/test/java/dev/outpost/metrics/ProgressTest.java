package dev.outpost.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.client.start.Terminal;
import dev.outpost.data.DataLoader;
import dev.outpost.data.Dataset;
import dev.outpost.types.OutpostException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ProgressTest {
    private static final long SECOND = 1_000_000_000L;

    private final StringWriter text = new StringWriter();
    private final PrintWriter out = new PrintWriter(text);
    private final List<ProgressBar> bars = new ArrayList<>();
    private long now = 5 * SECOND;

    /** An open bar holds the line of the terminal, which other tests look at. */
    @AfterEach
    void closeBars() {
        bars.forEach(ProgressBar::close);
    }

    @Test
    void aPipeReceivesPlainLinesFromTimeToTime() {
        ProgressBar bar = bar(10, false).title("epoch 1");
        for (int step = 0; step < 10; step++) {
            now += 4 * SECOND;
            bar.show("loss", 1.0 / (step + 1)).step();
        }
        bar.close();
        assertEquals("""
                epoch 1: 3/10 [#######-----------------] loss 0.3333, 0:12 passed
                epoch 1: 6/10 [##############----------] loss 0.1667, 0.25 steps/s, 0:16 left
                epoch 1: 9/10 [#####################---] loss 0.1111, 0.25 steps/s, 0:04 left
                epoch 1: 10/10 [########################] loss 0.1000, 0.25 steps/s, 0:40 passed
                """, lines());
    }

    /** The first step compiles: it is far slower than the others, and no estimate contains it. */
    @Test
    void theFirstStepIsInNoEstimate() {
        ProgressBar bar = bar(100, true);
        now += 60 * SECOND;
        bar.step();
        for (int step = 1; step < StepRate.MIN_STEPS + 1; step++) {
            assertFalse(lines().contains("left"), this::lines);
            now += SECOND;
            bar.step();
        }
        assertTrue(lines().endsWith(", 1.00 steps/s, 1:36 left"), this::lines);
    }

    @Test
    void aTerminalRedrawsOneLine() {
        ProgressBar bar = bar(3, true);
        for (int step = 0; step < 3; step++) {
            now += SECOND;
            bar.step();
        }
        bar.close();
        bar.close();
        String[] drawn = lines().split("\r");
        assertEquals(4, drawn.length, this::lines);
        assertTrue(drawn[1].startsWith("1/3 ["), this::lines);
        assertTrue(drawn[3].startsWith("3/3 [########################], 0:03 passed"), this::lines);
        assertEquals(1, lines().chars().filter(next -> next == '\n').count());
    }

    @Test
    void stepsThatFollowFastAreNotDrawn() {
        ProgressBar bar = bar(1000, true);
        for (int step = 0; step < 999; step++) {
            now += SECOND / 1000;
            bar.step();
        }
        assertTrue(lines().split("\r").length < 15, this::lines);
        bar.step();
        assertTrue(lines().contains("1000/1000"), this::lines);
    }

    @Test
    void aValueIsReadOnlyIfItIsDrawn() {
        AtomicInteger reads = new AtomicInteger();
        ProgressBar bar = bar(100, true);
        for (int step = 0; step < 99; step++) {
            now += SECOND / 100;
            bar.show("loss", reads::incrementAndGet).step();
        }
        assertTrue(reads.get() >= 9 && reads.get() < 13, reads::toString);
        int before = reads.get();
        bar.show("loss", reads::incrementAndGet).step();
        assertEquals(before + 1, reads.get());
        assertTrue(lines().contains("100/100 [########################] loss " + reads.get() + ".0000"), this::lines);
    }

    @Test
    void messagesStandAboveTheBar() {
        ProgressBar bar = bar(2, true);
        now += SECOND;
        bar.step();
        bar.message("saved");
        assertTrue(lines().contains("\rsaved\n\r1/2 "), this::lines);
    }

    @Test
    void ratesCountUnits() {
        ProgressBar bar = bar(10, true).unit("tokens");
        for (int step = 0; step < 5; step++) {
            now += SECOND;
            bar.step(2048);
        }
        assertTrue(lines().contains(", 2,048 tokens/s, 0:05 left"), this::lines);
    }

    @Test
    void aLoopOverALoaderCountsItsBatches() {
        DataLoader<Integer> loader = new DataLoader<>(Dataset.of(5, index -> index), 2, elements -> elements.size());
        int sum = 0;
        try (Progress<Integer> progress =
                Progress.of(loader).bar(this::quickBar).unit("images", size -> size)) {
            for (int size : progress) {
                now += SECOND;
                progress.show("loss", size);
                sum += size;
            }
        }
        assertEquals(5, sum);
        assertEquals("3/3 [########################] loss 1.0000, 0:03 passed\n", lines());
    }

    @Test
    void aBrokenLoopEndsItsLine() {
        try (Progress<Integer> progress = Progress.of(List.of(1, 2, 3)).bar(this::quickBar)) {
            for (int number : progress) {
                now += SECOND;
                if (number == 2) {
                    break;
                }
            }
        }
        assertEquals("1/3 [########----------------], 0:02 passed\n", lines());
    }

    @Test
    void loopsWithoutAKnownEndHaveNoTimeLeft() {
        ProgressBar bar = bar(-1, false);
        for (int step = 0; step < 6; step++) {
            now += 2 * SECOND;
            bar.step();
        }
        assertEquals("5 steps, 0.50 steps/s, 0:10 passed\n", lines());
    }

    @Test
    void transfersCountBytes() {
        ProgressBar bar = bar(4 << 20, true).title("loading").bytes();
        for (int done = 0; done <= 2; done++) {
            bar.at(done << 19);
            now += SECOND;
        }
        assertTrue(lines().contains("loading: 0 B of 4.0 MiB [----"), this::lines);
        for (int done = 3; done <= 6; done++) {
            bar.at(done << 19);
            now += SECOND;
        }
        assertTrue(
                lines().contains("loading: 3.0 MiB of 4.0 MiB [##################------], 512.0 KiB/s, 0:02 left"),
                this::lines);
    }

    @Test
    void aPassingBarAppearsLateAndIsErased() {
        ProgressBar quick = bar(10, true).passing(Duration.ofSeconds(2));
        now += SECOND;
        quick.at(9);
        quick.close();
        assertEquals("", lines());
        ProgressBar slow = bar(-1, true).title("waiting").passing(Duration.ofSeconds(2));
        now += 3 * SECOND;
        slow.at(0);
        slow.close();
        assertEquals("\rwaiting: 0:03 passed\r" + " ".repeat(20) + "\r", lines());
        assertFalse(Terminal.hasLine());
    }

    @Test
    void aPipeHearsOfALongWaitAtDoublingIntervals() {
        ProgressBar bar = bar(-1, false).title("waiting").passing(Duration.ofSeconds(2));
        for (int second = 0; second < 100; second++) {
            now += SECOND;
            bar.at(0);
        }
        bar.close();
        assertEquals("""
                waiting: 0:10 passed
                waiting: 0:20 passed
                waiting: 0:40 passed
                waiting: 1:20 passed
                """, lines());
    }

    @Test
    void aBarHoldsTheLineOfTheTerminalUntilItIsClosed() {
        ProgressBar bar = bar(10, true);
        now += SECOND;
        bar.step();
        assertTrue(Terminal.hasLine());
        bar.close();
        assertFalse(Terminal.hasLine());
    }

    @Test
    void showOutsideOfTheLoopIsRefused() {
        Progress<Integer> progress = Progress.of(List.of(1));
        OutpostException refusal = assertThrows(OutpostException.class, () -> progress.show("loss", 1));
        assertEquals("Progress: the loop has not begun; call this in its body", refusal.getMessage());
    }

    @Test
    void anEmptyLoopPrintsOneLine() {
        for (int number : Progress.of(List.<Integer>of()).bar(this::quickBar)) {
            throw new AssertionError("" + number);
        }
        assertEquals("0/0 [########################], 0:00 passed\n", lines());
    }

    private ProgressBar quickBar(long total) {
        return bar(total, false);
    }

    private ProgressBar bar(long total, boolean isTerminal) {
        ProgressBar bar = new ProgressBar(total, out, isTerminal, () -> now);
        bars.add(bar);
        return bar;
    }

    private String lines() {
        out.flush();
        return text.toString().replace(System.lineSeparator(), "\n");
    }
}
