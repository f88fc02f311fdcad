package dev.outpost.system.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The page docs/reference/settings.md has every setting that is no option of a command. {@code -Doutpost.golden=write} writes the tables that
 * follow from the code.
 */
@Tag("quick")
class SettingsReferenceTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs/reference/settings.md");
    private static final String BEGIN = "<!-- begin: settings -->\n";
    private static final String END = "<!-- end -->\n";
    private static final Pattern VARIABLE = Pattern.compile("(?<=[\":{])OUTPOST_[A-Z][A-Z_]*[A-Z](?=[\":}])");
    /** Settings of the tables, and what the product sets for programs and processes that it starts. */
    private static final Pattern ELSEWHERE = Pattern.compile(
            "OUTPOST_(?:RUNTIME|BACKEND|SERVING|RUNNER|JOB)_.*|OUTPOST_K8S.*|OUTPOST_CUDA|OUTPOST_PROCESS");

    private static final Map<String, String> MAPPINGS = new LinkedHashMap<>();

    static {
        MAPPINGS.put("Runtimes", "gpu-runtime/server/src/main/java/dev/outpost/runtime/server/RuntimeConfig.java");
        MAPPINGS.put("Backends", "control-plane/src/main/java/dev/outpost/backend/BackendConfig.java");
        MAPPINGS.put("Servers and gateways", "serving/src/main/java/dev/outpost/serving/config/ServingConfig.java");
    }

    private static String tables() throws IOException {
        StringBuilder tables = new StringBuilder();
        for (Map.Entry<String, String> mapping : MAPPINGS.entrySet()) {
            tables.append("\n## ").append(mapping.getKey()).append("\n\n");
            tables.append(SettingsTable.of(ROOT.resolve(mapping.getValue())));
        }
        return tables.append('\n').toString();
    }

    private static Set<String> variables(Path folder) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                VARIABLE.matcher(Files.readString(file)).results().forEach(match -> found.add(match.group()));
            }
        }
        return found;
    }

    @Test
    void pageHasEverySettingOfTheMappings() throws IOException {
        String page = Files.readString(PAGE);
        String before = page.substring(0, page.indexOf(BEGIN) + BEGIN.length());
        String expected = before + tables() + END;
        if ("write".equals(System.getProperty("outpost.golden"))) {
            Files.writeString(PAGE, expected);
        } else {
            assertEquals(expected, page);
        }
    }

    @Test
    void pageHasEveryVariableThatTheProductReads() throws IOException {
        String page = Files.readString(PAGE) + Files.readString(ROOT.resolve("docs/reference/commands.md"));
        Set<String> read = new TreeSet<>();
        List<String> modules;
        try (Stream<String> lines = Files.lines(ROOT.resolve("pom.xml"))) {
            modules = lines.filter(line -> line.contains("<module>"))
                    .map(line -> line.replaceAll(".*<module>(.*)</module>.*", "$1"))
                    .toList();
        }
        for (String module : modules) {
            Path sources = ROOT.resolve(module).resolve("src/main/java");
            if (!module.startsWith("testing") && Files.isDirectory(sources)) {
                read.addAll(variables(sources));
            }
        }
        assertTrue(read.contains("OUTPOST_TOKEN"), read::toString);
        assertEquals(
                List.of(),
                read.stream()
                        .filter(name -> !ELSEWHERE.matcher(name).matches())
                        .filter(name -> !page.contains("`" + name + "`"))
                        .toList());
    }
}
