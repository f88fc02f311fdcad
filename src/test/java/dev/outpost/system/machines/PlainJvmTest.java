package dev.outpost.system.machines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.support.tests.Await;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A JVM that was started without flags has no Vector API. It computes the same, also on a group of machines. */
class PlainJvmTest {
    @Test
    void aGroupSumsWithoutTheVectorApi() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PlainProgram.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertEquals(
                    "false 32.0 [4.0, 6.0] 64.0",
                    new String(program.getInputStream().readAllBytes()).strip());
            assertEquals(0, Await.ended("the program", program));
        } finally {
            program.destroyForcibly();
        }
    }
}
