package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.system.publish.ExternalProgram.Printed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ten lines as a script of JBang, which resolves the one dependency by itself. */
@Tag("full")
class JBangScriptTest {
    private static final String JBANG = "dev.jbang:jbang-cli:0.132.1";

    /** With this status JBang asks its launcher to run what it printed. */
    private static final int RUN_WHAT_WAS_PRINTED = 255;

    @TempDir
    Path folder;

    @Test
    void scriptPrintsTheResult() throws Exception {
        Path script = folder.resolve("TenLines.java");
        Files.writeString(script, """
                //REPOS %s=%s,mavencentral
                //DEPS dev.outpost:outpost:%s
                //JAVA 25+
                %s""".formatted(
                        Publication.repositoryId(),
                        Publication.shared().repository().toUri(),
                        Publication.VERSION,
                        TenLines.program()));
        String command = jbang("run", script.toString());
        Printed printed = ExternalProgram.in(folder, "sh", "-c", command).run();
        assertEquals(TenLines.RESULT, printed.out());
        assertTrue(printed.err().startsWith("Outpost: start Java with "), printed::err);
        assertEquals(
                1, TenLines.withoutWarningsOfProtobuf(printed.err()).lines().count(), printed::err);
    }

    /** The command that runs the script. */
    private String jbang(String... arguments) throws Exception {
        MavenProject tool = MavenProject.resolve(Files.createDirectories(folder.resolve("jbang")), JBANG);
        ExternalProgram externalProgram = ExternalProgram.java(folder, "-cp", tool.classPath(), "dev.jbang.Main")
                .with(List.of(arguments))
                .with("JBANG_DIR", folder.resolve("state").toString());
        return externalProgram.run(RUN_WHAT_WAS_PRINTED).out().strip();
    }
}
