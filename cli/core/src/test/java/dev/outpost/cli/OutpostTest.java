package dev.outpost.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@Tag("quick")
class OutpostTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine commandLine = Outpost.commandLine().addSubcommand(new Failing());
        return commandLine
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void withoutACommandItHelps() {
        assertEquals(0, run());
        assertTrue(out.toString().startsWith("Usage: outpost "), out::toString);
        assertTrue(out.toString().contains("List the GPUs that can be asked for by name."), out::toString);
    }

    @Test
    void knowsItsVersion() {
        assertEquals(0, run("--version"));
        assertTrue(out.toString().matches("(?s)outpost \\d\\S+\\RJava \\d\\d.*"), out::toString);
    }

    @Test
    void gpusPrintsTheCatalogue() {
        assertEquals(0, run("gpus"));
        List<String> rows = out.toString()
                .lines()
                .map(line -> line.replaceAll(" {2,}", " | "))
                .toList();
        assertTrue(rows.contains("A100 | 40 or 80 GB | 8.0 | NVIDIA A100, either size"), rows::toString);
        assertTrue(rows.stream().anyMatch(row -> row.equals("any | - | - | any GPU of the provider")), rows::toString);
    }

    @Test
    void everyCommandIsInOneGroupOfTheHelp() {
        List<String> grouped = CommandGroup.ALL.stream()
                .flatMap(group -> group.commands().stream())
                .sorted()
                .toList();
        Set<String> commands =
                new TreeSet<>(Outpost.commandLine(true).getSubcommands().keySet());
        assertEquals(List.copyOf(commands), grouped);
    }

    @Test
    void theZipDoesNotKnowTheCommandsOfASourceTree() {
        assertEquals(2, run("publish", "folder"));
        assertTrue(err.toString().startsWith("outpost: Unmatched argument"), err::toString);
    }

    @Test
    void aCommandOfTheLauncherNamesTheLauncher() {
        assertEquals(1, run("serve", "--model", "file:model"));
        assertEquals(
                "outpost: serve: call it by ./outpost or bin/outpost, which start its program\n",
                err.toString().replace("\r", ""));
    }

    @Test
    void aMistypedCommandIsAnsweredWithTheNearest() {
        assertEquals(2, run("demoo"));
        assertEquals(
                "outpost: Unmatched argument at index 0: 'demoo'\nDid you mean: outpost demo or outpost models or outpost pools?\n",
                err.toString().replace("\r", ""));
    }

    @Test
    void anUnknownOptionPointsToTheHelp() {
        assertEquals(2, run("gpus", "--colour"));
        assertEquals(
                "outpost: Unknown option: '--colour'\nTry: outpost gpus --help\n",
                err.toString().replace("\r", ""));
    }

    @Test
    void aFailureIsOneLine() {
        assertEquals(1, run("fail"));
        assertEquals(
                "outpost: no machine: the cluster is full\n", err.toString().replace("\r", ""));
        assertFalse(out.toString().contains("\tat "));
    }

    @Test
    void traceShowsWhereItFailed() {
        assertEquals(1, run("--trace", "fail"));
        assertTrue(err.toString().contains("\tat " + Failing.class.getName()), err::toString);
    }

    @Command(name = "fail")
    private static final class Failing implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("no machine:\n  the cluster is full");
        }
    }
}
