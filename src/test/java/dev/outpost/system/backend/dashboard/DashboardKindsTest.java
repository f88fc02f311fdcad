package dev.outpost.system.backend.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitForSelectorState;
import dev.outpost.system.backend.host.BackendHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Makes one thing of each kind by its form, and removes those that can be removed. */
@Tag("full")
class DashboardKindsTest {
    private static final String PROGRAM = "program";

    @TempDir
    Path folder;

    /**
     * A form.
     *
     * @param page the name of the kind in the address
     * @param values by the names of fields
     * @param shown a text of the new row
     */
    private record Filled(String page, Map<String, String> values, String shown) {}

    private static final List<Filled> FORMS = List.of(
            new Filled("organisations", Map.of("name", "acme"), "acme"),
            new Filled("projects", Map.of("name", "vision", "priority", "3"), "vision"),
            new Filled("members", Map.of("subject", "ada@example.com", "role", "DEVELOPER"), "ada@example.com"),
            new Filled("keys", Map.of("name", "nightly", "project", "vision"), "nightly"),
            new Filled("quotas", Map.of("resource", "MACHINES", "allowed", "5"), "organisation/machines"),
            new Filled("budgets", Map.of("period", "MONTH", "cap", "12.5"), "organisation/month"),
            new Filled("prices", Map.of("gpu", "A100", "perHour", "2.4"), "A100"),
            new Filled("token-prices", Map.of("model", "chat", "perMillionNew", "1.5"), "chat"),
            new Filled("clusters", Map.of("name", "lab", "provider", "worker", "machines", "2"), "lab"),
            new Filled("pools", Map.of("name", "warm", "gpu", "A100", "min", "0", "max", "1"), "warm"),
            new Filled("secrets", Map.of("name", "HF_TOKEN", "value", "hidden"), "HF_TOKEN"),
            new Filled("webhooks", Map.of("url", "http://127.0.0.1:9/events"), "127.0.0.1:9"),
            new Filled("deployments", Map.of("name", "chat", "model", "file:/models/chat"), "file:/models/chat"),
            new Filled("jobs", Map.of("jobName", "nightly", PROGRAM, "a.jar", "arguments", "--fast"), "nightly"),
            new Filled(
                    "schedules",
                    Map.of("name", "daily", "cron", "0 3 * * *", PROGRAM, "a.jar", "timeout", "PT1H"),
                    "0 3 * * *"));

    @Test
    void oneOfEachKindIsMadeAndRemoved() throws IOException {
        Optional<Path> program = Chromium.installed();
        assumeTrue(program.isPresent(), "no Chromium is installed here: apt-get install chromium");
        Path jar = Files.write(folder.resolve("a.jar"), new byte[300_000]);
        try (BackendHost backend = BackendHost.start(
                        folder.resolve("backend"),
                        "OUTPOST_BACKEND_LOCAL_ENABLED",
                        "false",
                        "OUTPOST_BACKEND_PRIVATE_ENDPOINTS",
                        "127.0.0.0/8");
                Chromium chromium =
                        Chromium.open(program.get(), backend.access().address() + "/", 1280, 800)) {
            Page page = chromium.page();
            page.locator("#key").fill(backend.access().key());
            page.locator("#key").press("Enter");
            page.locator("#pages").waitFor();
            for (Filled form : FORMS) {
                create(page, form, jar);
                assertEquals(List.of(), chromium.violations(), form.page());
            }
            for (Filled form : FORMS.reversed()) {
                remove(page, form);
            }
            assertEquals(List.of(), chromium.errors());
        }
    }

    private static void create(Page page, Filled filled, Path jar) {
        page.evaluate("location.hash = '#/" + filled.page() + "?new=yes'");
        Locator form = page.locator("#form");
        form.waitFor();
        filled.values().forEach((name, value) -> fill(form.locator("#field-" + name), value, jar));
        form.locator("button[type=submit]").click();
        if (List.of("organisations", "keys", "webhooks").contains(filled.page())) {
            assertFalse(page.locator("#shown").textContent().isBlank());
            form.getByText("Done").click();
        }
        form.waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
        if (filled.page().equals("deployments")) {
            page.evaluate("location.hash = '#/deployments/chat'");
            page.locator("#revisions").getByText(filled.shown()).waitFor();
        } else {
            page.locator("#" + filled.page()).getByText(filled.shown()).first().waitFor();
        }
    }

    private static void fill(Locator input, String value, Path jar) {
        if (input.getAttribute("type") != null && input.getAttribute("type").equals("file")) {
            input.setInputFiles(jar);
        } else if (input.evaluate("(node) => node.tagName").equals("SELECT")) {
            input.selectOption(value);
        } else {
            input.fill(value);
        }
    }

    /** Removes or revokes the row, if its kind has such a button. */
    private static void remove(Page page, Filled filled) {
        page.evaluate("location.hash = '#/" + filled.page() + "'");
        Locator table = page.locator("#" + filled.page());
        table.waitFor();
        Locator row =
                page.locator("#" + filled.page() + " tbody tr", new Page.LocatorOptions().setHasText(filled.shown()));
        Locator button = row.locator("[data-action=remove]");
        if (!filled.page().equals("deployments") && button.count() == 1) {
            button.click();
            page.locator("#yes").click();
            row.waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
        }
    }
}
