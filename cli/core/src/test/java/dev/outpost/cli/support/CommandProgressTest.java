package dev.outpost.cli.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CommandProgressTest {
    private final StringWriter text = new StringWriter();

    @Test
    void aTerminalShowsTheNewestTaskAndErasesIt() {
        CommandProgress progress = new CommandProgress(new PrintWriter(text), true, true, Duration.ZERO);
        AtomicLong done = new AtomicLong(1 << 20);
        try (CommandProgress.Task outer = progress.waiting("outer")) {
            awaitText("\router: 0:0");
            try (CommandProgress.Task task = progress.bytes("uploading app.jar", 4 << 20, done::get)) {
                awaitText("uploading app.jar: 1.0 MiB of 4.0 MiB [######");
                done.set(3 << 20);
                awaitText("uploading app.jar: 3.0 MiB of 4.0 MiB [##################------]");
            }
        }
        assertTrue(shown().endsWith(" \r"), this::shown);
        assertTrue(!shown().contains("\n"), this::shown);
    }

    @Test
    void outputErasesTheLineAndEndsTheWaitOfTheCommand() {
        CommandProgress progress = new CommandProgress(new PrintWriter(text), true, true, Duration.ZERO);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = progress.erasing(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try (CommandProgress.Task task = progress.steps("applying", "changes", 2, () -> 1)) {
            awaitText("applying: 1/2 [####");
            out.println("created ü");
            assertTrue(shown().endsWith(" \r"), this::shown);
            int before = shown().length();
            Await.until(
                    "the line is drawn again", () -> shown().substring(before).contains("applying: 1/2"));
        }
        assertEquals("created ü" + System.lineSeparator(), printed.toString(StandardCharsets.UTF_8));
    }

    /** Libraries and programs print errors without asking the command line for its stream. */
    @Test
    void directErrorOutputErasesTheLine() {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try {
            System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
            CommandProgress progress =
                    new CommandProgress(new PrintWriter(System.err, true), true, true, Duration.ZERO);
            progress.attachTo(new CommandLine(CommandLine.Model.CommandSpec.create()));
            try (CommandProgress.Task task = progress.steps("applying", "changes", 2, () -> 1)) {
                Await.until(
                        "the line is drawn",
                        () -> printed.toString(StandardCharsets.UTF_8).contains("applying: 1/2"));
                System.err.println("a warning");
            }
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        String text = printed.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains(" \ra warning" + System.lineSeparator()), text);
    }

    @Test
    void nothingIsShownOfAQuickTask() {
        CommandProgress progress = new CommandProgress(new PrintWriter(text), true, true, Duration.ofHours(1));
        AtomicLong asked = new AtomicLong();
        try (CommandProgress.Task task = progress.steps("quick", "steps", 2, asked::incrementAndGet)) {
            Await.until("three questions", () -> asked.get() > 2);
        }
        assertEquals("", shown());
    }

    @Test
    void aFailingQuestionEndsTheProgressOnly() {
        CommandProgress progress = new CommandProgress(new PrintWriter(text), true, true, Duration.ZERO);
        AtomicLong asked = new AtomicLong();
        try (CommandProgress.Task task = progress.steps("asking", "steps", 2, () -> {
            asked.incrementAndGet();
            throw new IllegalStateException("the machine is gone");
        })) {
            Await.until("a question", () -> asked.get() > 0);
        }
        assertEquals("", shown());
    }

    private void awaitText(String expected) {
        Await.until(this::shown, () -> shown().contains(expected));
    }

    private String shown() {
        return text.toString();
    }
}
