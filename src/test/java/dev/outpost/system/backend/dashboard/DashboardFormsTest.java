package dev.outpost.system.backend.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.SameSiteAttribute;
import com.microsoft.playwright.options.WaitForSelectorState;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the session of a browser and the forms of the dashboard, on a desktop and on a phone. */
@Tag("full")
class DashboardFormsTest {
    private static final int PHONE = 390;

    @TempDir
    Path folder;

    @Test
    void projectIsMadeInASessionWithoutAnErrorOnTheConsole() {
        Optional<Path> program = Chromium.installed();
        assumeTrue(program.isPresent(), "no Chromium is installed here: apt-get install chromium");
        try (BackendHost backend =
                        BackendHost.start(folder.resolve("backend"), "OUTPOST_BACKEND_LOCAL_ENABLED", "false");
                Chromium chromium =
                        Chromium.open(program.get(), backend.access().address() + "/#/projects?new=yes", 1280, 800)) {
            Page page = chromium.page();
            logIn(page, backend.access().key());
            createProject(page, backend.client());
            changeProject(page, backend.client());
            createKey(page);
            searchAndSort(page);
            assertCookieIsOutOfReach(page);
            openTheMenuOfAPhone(chromium);
            assertEquals(List.of(), chromium.errors());
            refuseAForgedRequest(page, backend.client());
            comeBackAfterTheEndOfTheSession(page);
        }
    }

    private static void logIn(Page page, String key) {
        page.locator("#key").fill(key);
        page.locator("#key").press("Enter");
    }

    /** The address of the form is opened after the login. */
    private static void createProject(Page page, BackendClient client) {
        Locator form = page.locator("#form");
        form.getByLabel("Name").fill("Not A Slug");
        form.getByText("Create", new Locator.GetByTextOptions().setExact(true)).click();
        assertTrue(form.isVisible(), "the browser refuses a name that the backend would refuse");
        form.getByLabel("Name").fill("vision");
        form.getByLabel("Priority").fill("7");
        form.getByLabel("Priority").press("Enter");
        page.locator("tr[data-project=vision]").waitFor();
        form.waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
        assertEquals(7, client.get("/v1/projects/vision").path("priority").asInt());
    }

    private static void changeProject(Page page, BackendClient client) {
        page.locator("tr[data-project=vision] [data-action=change]").click();
        Locator form = page.locator("#form");
        assertEquals("vision", form.getByLabel("Name").inputValue());
        assertEquals("7", form.getByLabel("Priority").inputValue());
        form.getByLabel("Archived").check();
        form.getByText("Save").click();
        page.locator("tr[data-project=vision] .state.archived").waitFor();
        assertTrue(client.get("/v1/projects/vision").hasNonNull("archived"));
    }

    private static void createKey(Page page) {
        page.evaluate("location.hash = '#/keys'");
        page.locator("#create").click();
        page.locator("#form").getByLabel("Name").fill("for a day");
        page.locator("#form")
                .getByText("Create", new Locator.GetByTextOptions().setExact(true))
                .click();
        assertTrue(page.locator("#shown").textContent().startsWith("op_"));
        page.locator("#form").getByText("Done").click();
        page.locator("#keys >> text=for a day").waitFor();
        assertFalse(page.content().contains(" op_"));
    }

    private static void searchAndSort(Page page) {
        page.evaluate("location.hash = '#/projects'");
        page.locator("tr[data-project=default]").waitFor();
        page.keyboard().press("/");
        page.keyboard().type("visi");
        page.locator("tr[data-project=default]")
                .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
        assertEquals("#/projects?q=visi", page.evaluate("location.hash"));
        page.evaluate("location.hash = '#/projects?sort=-project'");
        page.locator("th[aria-sort=descending]").waitFor();
        assertEquals("vision", page.locator("tbody tr").first().getAttribute("data-project"));
    }

    private static void assertCookieIsOutOfReach(Page page) {
        assertEquals("", page.evaluate("document.cookie"));
        Cookie cookie = page.context().cookies().getFirst();
        assertEquals(
                List.of("outpost-session", true, SameSiteAttribute.STRICT),
                List.of(cookie.name, cookie.httpOnly, cookie.sameSite));
        assertFalse(((String) page.evaluate("JSON.stringify([sessionStorage, localStorage])")).contains("op_"));
    }

    private static void openTheMenuOfAPhone(Chromium chromium) {
        Page page = chromium.page();
        assertEquals(List.of(), chromium.violations());
        chromium.emulate(PHONE, 800, false);
        assertFalse(page.locator("#pages").isVisible());
        page.locator("#menu").click();
        assertEquals(List.of(), chromium.violations());
        for (Locator link : page.locator("#pages a").all()) {
            assertTrue(link.boundingBox().x >= 0 && link.boundingBox().x + link.boundingBox().width <= PHONE);
        }
        page.locator("#pages").getByText("Budgets").click();
        page.locator("#budgets").waitFor();
        assertFalse(page.locator("#pages").isVisible(), "the menu closes");
        page.locator("#create").click();
        assertEquals(List.of(), chromium.violations());
        page.keyboard().press("Escape");
        assertEquals(true, page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
        chromium.emulate(1280, 800, false);
    }

    /** A request of the browser without the token is refused, as a form of another site would send it. */
    private static void refuseAForgedRequest(Page page, BackendClient client) {
        String forged = "fetch('/v1/projects/forged', {method: 'PUT', body: '{}',"
                + " headers: {'Content-Type': 'application/json'}}).then((answer) => answer.status)";
        assertEquals(403, page.evaluate(forged));
        assertTrue(client.get("/v1/projects").findValuesAsText("name").stream().noneMatch("forged"::equals));
    }

    private static void comeBackAfterTheEndOfTheSession(Page page) {
        page.evaluate("location.hash = '#/quotas'");
        page.locator("#quotas").waitFor();
        page.context().clearCookies();
        page.evaluate("location.hash = '#/members'");
        page.locator("#login").waitFor();
        Await.until(
                "the page says why",
                () -> page.locator("#trouble").textContent().contains("Log in again"));
        assertEquals("#/members", page.evaluate("location.hash"));
    }
}
