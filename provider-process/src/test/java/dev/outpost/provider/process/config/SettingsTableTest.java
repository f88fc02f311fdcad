package dev.outpost.provider.process.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table in {@code docs/process.md} has a row for each setting. {@code -Doutpost.golden=write} rewrites it. */
@Tag("quick")
class SettingsTableTest {
    private static final Path PAGE = Path.of("../docs/process.md");
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

    private static String table() {
        return Stream.of(ProcessSetting.values())
                .map(SettingsTableTest::row)
                .collect(Collectors.joining("", "| setting | default | what it says |\n|---|---|---|\n", ""));
    }

    private static String row(ProcessSetting setting) {
        String standard = setting.standard().isEmpty() ? "" : "`" + setting.standard() + "`";
        return "| `" + setting.text() + "` | " + standard + " | " + setting.description() + " |\n";
    }
}
