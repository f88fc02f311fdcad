package dev.outpost.system.backend.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitForSelectorState;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.SharedBackend;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Opens and cancels the form of each kind of an organisation. {@link DashboardKindsTest} fills in the forms of all kinds. */
class DashboardOpenFormsTest {
    private static final List<String> KINDS = List.of(
            "projects",
            "members",
            "keys",
            "quotas",
            "budgets",
            "secrets",
            "webhooks",
            "deployments",
            "jobs",
            "schedules");

    @Test
    void formsOpenWithoutAnErrorOnTheConsole() {
        Optional<Path> program = Chromium.installed();
        assumeTrue(program.isPresent(), "no Chromium is installed here: apt-get install chromium");
        try (BackendHost backend = SharedBackend.tenant();
                Chromium chromium =
                        Chromium.open(program.get(), backend.access().address() + "/", 1280, 800)) {
            Page page = chromium.page();
            page.locator("#key").fill(backend.access().key());
            page.locator("#key").press("Enter");
            page.locator("#pages").waitFor();
            for (String kind : KINDS) {
                page.evaluate("location.hash = '#/" + kind + "?new=yes'");
                Locator form = page.locator("#form");
                String title = form.locator("#form-title").textContent();
                assertTrue(title.startsWith("Create a"), title);
                form.locator("input, select, textarea").first().waitFor();
                form.getByText("Cancel", new Locator.GetByTextOptions().setExact(true))
                        .click();
                form.waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
            }
            assertEquals(List.of(), chromium.errors());
        }
    }
}
