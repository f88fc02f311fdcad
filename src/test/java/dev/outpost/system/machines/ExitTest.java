package dev.outpost.system.machines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.support.tests.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program that ends without having closed its machine leaves none behind. */
class ExitTest {
    private static final int ENDED_BY_SIGTERM = 143;

    @Test
    void aMachineIsGivenBackWhenItsProgramIsDone() throws Exception {
        assertLeaves("released", 0, "there", "leave");
    }

    @Test
    void aMachineIsGivenBackWhenItsProgramIsEnded() throws Exception {
        assertLeaves("released", ENDED_BY_SIGTERM, "there", "stay");
    }

    @Test
    void aMachineThatHasNotComeIsNotWantedAnyMore() throws Exception {
        assertLeaves("cancelled", ENDED_BY_SIGTERM, "coming", "stay");
    }

    private static void assertLeaves(String lastWord, int status, String... arguments) throws Exception {
        Process program = start(arguments);
        try (BufferedReader lines = program.inputReader()) {
            assertEquals("holding", lines.readLine());
            if (status == ENDED_BY_SIGTERM) {
                // Unlike the process itself, its handle does not close the output streams.
                program.toHandle().destroy();
            }
            assertEquals(lastWord, lines.readLine());
            assertEquals(status, Await.ended("the program", program));
        } finally {
            program.destroyForcibly();
        }
    }

    private static Process start(String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        UnclosedMachineProgram.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.command().addAll(List.of(arguments));
        return builder.start();
    }
}
