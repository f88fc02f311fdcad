package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.outpost.runtime.engine.cpu.chain.ChainGenerator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A command to the JIT whose pattern matches no class costs speed and fails nothing else. */
class CompileCommandsTest {
    private static final String COMMAND = "-XX:CompileCommand=";
    private static final List<String> CLASSES = Stream.concat(
                    new ClassFileImporter()
                            .importPackages("dev.outpost.runtime.engine.cpu").stream()
                                    .map(JavaClass::getName),
                    Stream.of(ChainGenerator.GENERATED))
            .toList();

    @Test
    void everyPatternMatchesAClass() {
        List<String> patterns = DeployFolder.read(DeployFolder.ROOT.resolve("image/java.options"))
                .lines()
                .filter(line -> line.startsWith(COMMAND) && line.contains("::"))
                .map(line -> line.substring(line.indexOf(',') + 1, line.indexOf("::")))
                .toList();
        assertTrue(patterns.size() >= 10, patterns::toString);
        for (String pattern : patterns) {
            assertTrue(CLASSES.stream().anyMatch(name -> matches(pattern, name)), pattern);
        }
    }

    /** Every class whose loops are vectors is compiled early. */
    @Test
    void everyClassOfVectorLoopsIsNamed() {
        List<String> early = DeployFolder.read(DeployFolder.ROOT.resolve("image/java.options"))
                .lines()
                .filter(line -> line.startsWith(COMMAND + "CompileThresholdScaling"))
                .map(line -> line.substring(line.indexOf(',') + 1, line.indexOf("::")))
                .toList();
        CLASSES.stream()
                .filter(name -> name.substring(name.lastIndexOf('.') + 1).startsWith("Vector"))
                .forEach(name -> assertTrue(early.stream().anyMatch(pattern -> matches(pattern, name)), name));
    }

    private static boolean matches(String pattern, String name) {
        return pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
    }
}
