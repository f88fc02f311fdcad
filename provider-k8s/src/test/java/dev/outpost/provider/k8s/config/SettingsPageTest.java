package dev.outpost.provider.k8s.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The table in {@code docs/kubernetes-settings.md} has a row for each setting, with its default and the comment of its
 * method. {@code -Doutpost.golden=write} rewrites it.
 */
@Tag("quick")
class SettingsPageTest {
    private static final Path PAGE = Path.of("../docs/kubernetes-settings.md");
    private static final Path SOURCE = Path.of("src/main/java/dev/outpost/provider/k8s/config/KubernetesConfig.java");
    private static final String BEGIN = "<!-- settings -->\n";
    private static final String END = "<!-- end of settings -->\n";

    @Test
    void thePageHasEverySetting() throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf(BEGIN) + BEGIN.length();
        int to = page.indexOf(END);
        if ("write".equals(System.getProperty("outpost.golden"))) {
            Files.writeString(PAGE, page.substring(0, from) + table() + page.substring(to));
        } else {
            assertEquals(table(), page.substring(from, to));
        }
    }

    private static String table() throws IOException {
        String source = Files.readString(SOURCE);
        return Setting.all().stream()
                .map(setting -> row(setting, source))
                .collect(Collectors.joining("", "| setting | default | what it says |\n|---|---|---|\n", ""));
    }

    private static String row(Setting setting, String source) {
        String standard = setting.standard().map(value -> "`" + value + "`").orElse("");
        String name = setting.name().replace("*", "GPU");
        return "| `" + name + "` | " + standard + " | " + description(setting.method(), source) + " |\n";
    }

    private static String description(Method method, String source) {
        String group = source.substring(
                source.indexOf("interface " + method.getDeclaringClass().getSimpleName()));
        Matcher matcher = Pattern.compile(
                        "/\\*\\*((?:(?!\\*/).)*)\\*/(?:(?!/\\*)[^;])* " + method.getName() + "\\(\\);", Pattern.DOTALL)
                .matcher(group);
        if (!matcher.find()) {
            throw new AssertionError(method + " has no comment that a user could read");
        }
        return matcher.group(1)
                .replaceAll("\\n\\s*\\*", " ")
                .replaceAll("\\{@code ([^}]*)}", "`$1`")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
