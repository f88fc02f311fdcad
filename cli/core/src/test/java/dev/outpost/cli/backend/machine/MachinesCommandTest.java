package dev.outpost.cli.backend.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.cli.ErrorPrinter;
import dev.outpost.cli.Outpost;
import dev.outpost.cli.backend.FakeMachineProvider;
import dev.outpost.cli.support.DurationConverter;
import dev.outpost.provider.Providers;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

@Tag("quick")
class MachinesCommandTest {
    private final FakeMachineProvider paper = new FakeMachineProvider();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        ErrorPrinter errors = new ErrorPrinter(() -> false);
        MachinesCommand command =
                new MachinesCommand(() -> Providers.of(List.of(paper)), () -> FakeMachineProvider.NOW);
        return new CommandLine(command)
                .registerConverter(Duration.class, new DurationConverter())
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private String printed() {
        return out.toString().replace("\r", "");
    }

    private String complained() {
        return err.toString().replace("\r", "");
    }

    @Test
    void commandIsListed() {
        assertTrue(Outpost.commandLine().getSubcommands().containsKey("machines"));
    }

    @Test
    void withoutACommandItHelps() {
        assertEquals(0, run());
        assertTrue(printed().contains("Remove what is left of machines that have ended."), printed());
    }

    @Test
    void startSaysHowToUseTheMachine() {
        assertEquals(0, run("start", "k8s", "A100", "--for", "1h30m"));
        assertEquals("""
                outpost-1 is ready, and ends by itself in 1 h 30 min
                attach  RemoteMachine.attach("k8s", "outpost-1")
                log     ./outpost machines logs outpost-1
                stop    ./outpost machines stop outpost-1
                """, printed());
        assertEquals("A100", paper.machines.getFirst().gpu());
    }

    @Test
    void startPassesOptionsOn() {
        run("start", "k8s", "any", "--for", "2h", "--option", "cpu=4", "--option", "namespace=lab");
        assertEquals(Map.of("cpu", "4", "namespace", "lab"), paper.options);
    }

    @Test
    void startRefusesWhatTheProviderRefuses() {
        assertEquals(1, run("start", "k8s", "any", "--for", "2h", "--option", "colour=red"));
        assertEquals("outpost: colour: paper is white, got {colour=red}\n", complained());
        assertEquals(List.of(), paper.machines);
    }

    @Test
    void startRefusesAnUnknownGpu() {
        assertEquals(1, run("start", "k8s", "A1000", "--for", "2h"));
        assertTrue(complained().startsWith("outpost: no GPU is called A1000; did you mean A100?"), complained());
    }

    @Test
    void startWantsToKnowForHowLong() {
        assertEquals(2, run("start", "k8s", "A100"));
        assertEquals("outpost: Missing required option: '--for=DURATION'\nTry: machines start --help\n", complained());
    }

    @Test
    void startRefusesALengthWithoutAUnit() {
        assertEquals(2, run("start", "k8s", "A100", "--for", "2"));
        assertTrue(complained().contains("expected a duration such as 30s, 15m or 24h, got \"2\""), complained());
    }

    @Test
    void listShowsWhoHasWhatForHowLong() {
        paper.add("outpost-a100-1", "A100", "running", Duration.ofMinutes(72), Optional.of(Duration.ofMinutes(48)));
        paper.add("outpost-t4-2", "T4", "ended: idle", Duration.ofDays(2), Optional.of(Duration.ofSeconds(-30)));
        paper.add("outpost-l4-3", "L4", "waiting for a node", Duration.ofSeconds(5), Optional.empty());
        assertEquals(0, run("list"));
        assertEquals("""
                ID              GPU   STATE               OWNER       AGE       ENDS
                outpost-a100-1  A100  running             ada@laptop  1 h 12 min  in 48 min
                outpost-t4-2    T4    ended: idle         ada@laptop  2 d         30 s ago
                outpost-l4-3    L4    waiting for a node  ada@laptop  5 s         -
                """.replace("AGE       ENDS", "AGE         ENDS"), printed());
    }

    @Test
    void listOfNothingSaysSo() {
        assertEquals(0, run("list", "k8s"));
        assertEquals("no machines\n", printed());
    }

    @Test
    void listRefusesAnUnknownProvider() {
        assertEquals(1, run("list", "k9s"));
        assertTrue(complained().startsWith("outpost: no provider is called k9s; did you mean k8s?"), complained());
    }

    @Test
    void logsPrintsTheLines() {
        assertEquals(0, run("logs", "outpost-1"));
        assertEquals("outpost-1 line 1\noutpost-1 line 2\n", printed());
        assertFalse(paper.followed);
    }

    @Test
    void logsFollowsWhenAsked() {
        run("logs", "outpost-1", "-f");
        assertTrue(paper.followed);
    }

    @Test
    void stopEndsThoseNamed() {
        addThree();
        assertEquals(0, run("stop", "one", "three"));
        assertEquals("stopped one\nstopped three\n", printed());
        assertEquals("two", paper.machines.getFirst().id());
    }

    @Test
    void stopAllEndsAll() {
        addThree();
        assertEquals(0, run("stop", "--all"));
        assertEquals("stopped one\nstopped two\nstopped three\n", printed());
        assertEquals(List.of(), paper.machines);
    }

    @Test
    void stopAllOfNothingSaysSo() {
        assertEquals(0, run("stop", "--all"));
        assertEquals("no machines\n", printed());
    }

    @Test
    void stopWantsToKnowWhich() {
        assertEquals(2, run("stop"));
        assertTrue(complained().contains("Missing required argument"), complained());
    }

    @Test
    void stopTakesEitherSomeOrAll() {
        addThree();
        assertEquals(2, run("stop", "one", "--all"));
        assertEquals(3, paper.machines.size());
    }

    @Test
    void stopOfAnUnknownOneFails() {
        assertEquals(1, run("stop", "four"));
        assertEquals("outpost: there is no machine called four\n", complained());
    }

    @Test
    void sweepTellsWhatItRemoved() {
        paper.leftovers.add("Job outpost-t4-2: it has ended");
        assertEquals(0, run("sweep"));
        assertEquals("removed Job outpost-t4-2: it has ended\n", printed());
    }

    @Test
    void sweepOfNothingSaysSo() {
        assertEquals(0, run("sweep", "k8s"));
        assertEquals("nothing was left\n", printed());
    }

    private void addThree() {
        List.of("one", "two", "three").forEach(id -> paper.add(id, "any", "running", Duration.ZERO, Optional.empty()));
    }
}
