package dev.outpost.system.backend.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitForSelectorState;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.system.backend.host.BackendHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Makes one thing of each kind by its form, changes it, and removes those that can be removed. */
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
                    Map.of(
                            "name",
                            "daily",
                            "cron",
                            "0 3 * * *",
                            PROGRAM,
                            "a.jar",
                            "timeout",
                            "PT1H",
                            "arguments",
                            "--fast",
                            "environment",
                            "MODE=a=b",
                            "secrets",
                            "HF_TOKEN"),
                    "0 3 * * *"));

    /**
     * A change of a field.
     *
     * @param row a text of the row that is changed
     * @param address an address of the API
     * @param expected a part of the answer after the change
     */
    private record Changed(
            String page, String row, String field, String value, String address, List<String> expected) {}

    private static final List<Changed> CHANGES = List.of(
            new Changed("projects", "vision", "priority", "4", "/v1/projects/vision", List.of("\"priority\":4")),
            new Changed("members", "ada@example.com", "role", "ADMIN", "/v1/members", List.of("\"role\":\"ADMIN\"")),
            new Changed("keys", "nightly", "name", "weekly", "/v1/keys", List.of("\"name\":\"weekly\"")),
            new Changed("quotas", "organisation/machines", "allowed", "7", "/v1/quotas", List.of("\"allowed\":7")),
            new Changed("budgets", "organisation/month", "cap", "20", "/v1/budgets", List.of("\"cap\":20")),
            new Changed("clusters", "lab", "machines", "3", "/v1/clusters/lab", List.of("\"machines\":3")),
            new Changed("pools", "warm", "max", "2", "/v1/pools/warm", List.of("\"max\":2")),
            new Changed("secrets", "HF_TOKEN", "value", "other", "/v1/secrets", List.of("\"version\":2")),
            new Changed("webhooks", "127.0.0.1:9", "types", "job.", "/v1/webhooks", List.of("\"types\":[\"job.\"]")),
            new Changed(
                    "deployments", "chat", "max", "2", "/v1/deployments/chat", List.of("\"max\":2", "/models/chat")),
            new Changed(
                    "schedules",
                    "daily",
                    "timeout",
                    "PT2H",
                    "/v1/schedules/daily",
                    List.of("\"timeout\":\"PT2H\"", "a.jar", "0 3 * * *", "--fast", "\"MODE\":\"a=b\"", "HF_TOKEN")));

    @Test
    void oneOfEachKindIsMadeChangedAndRemoved() throws IOException {
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
                assertIsAccessible(chromium, form.page());
            }
            for (String other :
                    List.of("audit", "failures", "organisations/acme/quotas", "organisations/acme/budgets")) {
                page.evaluate("location.hash = '#/" + other + "'");
                page.locator("#page:not([aria-busy]) h2").waitFor();
                assertIsAccessible(chromium, other);
            }
            CHANGES.forEach(one -> change(page, one, backend.client()));
            setLimitsOfTheOperator(page, backend.client());
            withdrawAPrice(page, backend.client());
            for (Filled form : FORMS.reversed()) {
                remove(page, form);
            }
            assertFalse(backend.client().get("/v1/projects").toString().contains("vision"));
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

    /** axe finds no violations on a desktop and on a phone, and nothing is wider than the screen. */
    private static void assertIsAccessible(Chromium chromium, String name) {
        for (int width : List.of(390, 1280)) {
            chromium.emulate(width, 800, false);
            assertEquals(List.of(), chromium.violations(), name + " at " + width);
            assertTrue(chromium.holds("document.documentElement.scrollWidth <= innerWidth"), name + " at " + width);
        }
    }

    private static void change(Page page, Changed change, BackendClient client) {
        page.evaluate("location.hash = '#/" + change.page() + "'");
        page.locator("#" + change.page() + " tbody tr", new Page.LocatorOptions().setHasText(change.row()))
                .locator("[data-action=change]")
                .click();
        Locator form = page.locator("#form");
        fill(form.locator("#field-" + change.field()), change.value(), Path.of(""));
        form.locator("button[type=submit]").click();
        form.waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
        String answer = client.get(change.address()).toString();
        change.expected().forEach(part -> assertTrue(answer.contains(part), () -> part + " is not in " + answer));
    }

    private static void setLimitsOfTheOperator(Page page, BackendClient client) {
        for (String kind : List.of("quotas", "budgets")) {
            page.evaluate("location.hash = '#/organisations'");
            page.getByLabel(kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1) + " of acme")
                    .click();
            page.locator("#" + kind + ".empty").waitFor();
            page.locator("#create").click();
            Locator form = page.locator("#form");
            form.locator(kind.equals("quotas") ? "#field-allowed" : "#field-cap")
                    .fill("3");
            form.locator("button[type=submit]").click();
            page.locator("#" + kind + " [data-action=remove]").waitFor();
            String address = "/v1/organisations/acme/" + kind;
            assertEquals(1, client.get(address).path("items").size());
            page.locator("#" + kind + " [data-action=remove]").click();
            page.locator("#yes").click();
            page.locator("#" + kind + ".empty").waitFor();
            assertEquals(0, client.get(address).path("items").size());
        }
    }

    /** A price that is valid has no button to remove it. */
    private static void withdrawAPrice(Page page, BackendClient client) {
        client.put("/v1/prices", Map.of("gpu", "L4", "perHour", 1, "from", "2099-01-01T00:00:00Z"));
        page.evaluate("location.hash = '#/prices'");
        Locator row = page.locator("#prices tbody tr", new Page.LocatorOptions().setHasText("L4"));
        row.locator("[data-action=remove]").click();
        page.locator("#yes").click();
        row.waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
        assertEquals(0, page.locator("#prices [data-action=remove]").count());
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
