package dev.outpost.system.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A read from the pipe of a process holds the carrier of a virtual thread. As many such reads as there are processors stop all virtual
 * threads of the JVM, so the output of processes is read on platform threads.
 */
class ProcessOutputRulesTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern PROCESS_OUTPUT =
            Pattern.compile("\\b(inputReader|errorReader|getErrorStream)\\(|\\bprocess\\.getInputStream\\(");
    private static final Pattern VIRTUAL_THREAD = Pattern.compile("ofVirtual\\(|VirtualThread");
    /** Files whose virtual threads do something else: one waits for a time limit, the other calls a backend. */
    private static final Set<String> OTHER_WORK = Set.of("Peer.java", "RandomKillsTest.java");

    @Test
    void noVirtualThreadReadsTheOutputOfAProcess() throws IOException {
        Set<String> found = new TreeSet<>();
        for (Path file : SourcePackages.files(ROOT)) {
            String source = Files.readString(file);
            if (PROCESS_OUTPUT.matcher(source).find()
                    && VIRTUAL_THREAD.matcher(source).find()) {
                found.add(file.getFileName().toString());
            }
        }
        assertEquals(new TreeSet<>(OTHER_WORK), found);
    }
}
