package dev.outpost.system.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the files that hosts of repositories and bots read: workflows, templates, the configuration of Renovate. */
class RepositoryFilesTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Pattern COMMAND = Pattern.compile("(?:^|\\s)(\\./outpost|\\.ci/run)(?: ([a-z-]+))?(.*)");

    private static List<Path> files(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static List<String> commands() throws IOException {
        List<String> commands = new ArrayList<>();
        for (Path file : files(".github/workflows")) {
            YAML.readTree(file.toFile())
                    .get("jobs")
                    .forEach(job -> job.get("steps").forEach(step -> {
                        if (step.has("run")) {
                            commands.add(step.get("run").asText());
                        }
                    }));
        }
        return commands;
    }

    @Test
    void workflowsRunCommandsThatExist() throws IOException {
        String script = Files.readString(ROOT.resolve("outpost"));
        List<String> own = new ArrayList<>();
        for (String command : commands()) {
            Matcher matcher = COMMAND.matcher(command);
            if (!matcher.find()) {
                continue;
            }
            own.add(matcher.group().strip());
            if (matcher.group(2) != null) {
                assertTrue(script.contains("\n    " + matcher.group(2) + ")"), command);
            }
            for (String argument : matcher.group(3).strip().split(" ")) {
                boolean isModule = !argument.isEmpty() && !argument.startsWith("-");
                assertTrue(!isModule || Files.exists(ROOT.resolve(argument).resolve("pom.xml")), command);
            }
        }
        assertTrue(own.contains(".ci/run"), own::toString);
        assertTrue(own.stream().anyMatch(command -> command.startsWith("./outpost test --quick")), own::toString);
    }

    @Test
    void templatesAreYamlWithIdsThatDiffer() throws IOException {
        for (Path file : files(".github/ISSUE_TEMPLATE")) {
            JsonNode template = YAML.readTree(file.toFile());
            List<String> ids = template.path("body").findValuesAsText("id");
            assertEquals(ids.stream().distinct().toList(), ids, file.toString());
        }
    }

    /** A rule whose dependency was removed should be deleted. */
    @Test
    void rulesOfRenovateHaveReasonsAndMatchDependencies() throws IOException {
        StringBuilder poms = new StringBuilder();
        try (Stream<Path> files = Files.walk(ROOT, 4)) {
            for (Path pom : files.filter(file -> file.endsWith("pom.xml")).toList()) {
                poms.append(Files.readString(pom));
            }
        }
        JsonNode rules = new ObjectMapper()
                .readTree(ROOT.resolve("renovate.json").toFile())
                .get("packageRules");
        assertTrue(rules.size() > 1);
        for (JsonNode rule : rules) {
            assertTrue(rule.get("description").asText().length() > 20, rule::toString);
            for (JsonNode name : rule.get("matchPackageNames")) {
                String[] parts = name.asText().replace("**", "").split(":");
                assertTrue(poms.indexOf("<groupId>" + parts[0] + "</groupId>") >= 0, name::asText);
                assertTrue(parts.length < 2 || poms.indexOf("<artifactId>" + parts[1]) >= 0, name::asText);
            }
        }
    }

    @Test
    void versionsInUseAreThoseThatRenovateAllows() throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        assertTrue(pom.contains("<onnxruntime.version>1.2") && !pom.contains("<onnxruntime.version>1.29"));
        assertTrue(pom.contains("<jcuda.version>12.6."));
    }
}
