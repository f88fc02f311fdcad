package dev.outpost.system.backend.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the dashboard without data, with the keyboard only, and with requests that are refused, fail, or are not answered. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("full")
class DashboardTroublesTest {
    private static final Path PICTURES = Path.of("target", "dashboard", "troubles");
    private static final List<String> PAGES = List.of(
            "", "deployments", "jobs", "pools", "usage", "budgets", "quotas", "clusters", "keys", "members", "audit");

    /** More than the number of links and buttons on a page. */
    private static final int MAX_TABS = 60;

    @TempDir
    Path folder;

    @Test
    void troublesAndEmptyPagesAreToldAndEverythingGoesByKeyboard() throws IOException {
        Optional<Path> program = Chromium.installed();
        assumeTrue(program.isPresent(), "no Chromium is installed here: apt-get install chromium");
        Path data = folder.resolve("backend");
        try (BackendHost backend = BackendHost.start(data, "OUTPOST_BACKEND_OBSERVE_EVERY", "1s");
                Chromium page = Chromium.open(program.get(), backend.access().address() + "/", 1280, 800)) {
            BackendHost tenant = backend.tenant("acme");
            logInByKeyboard(page, tenant.access().key());
            skipToTheContent(page);
            PAGES.forEach(name -> capture(page, "#/" + name, "empty-" + (name.isEmpty() ? "machines" : name)));
            endAMachineByKeyboard(page, tenant.client());
            refuse(page, tenant.client());
            capture(page, "#/machines/" + UUID.randomUUID(), "unknown-machine");
            loseTheDatabase(page, data);
            backend.kill();
            loseTheBackend(page);
        }
    }

    // ---- by keyboard

    private static void logInByKeyboard(Chromium page, String key) {
        await(page, "document.querySelector('#login')?.hidden === false");
        tabTo(page, "document.activeElement.id === 'key'");
        page.type("op_nobody_knows");
        page.press("Enter");
        await(page, "document.querySelector('#trouble').textContent.includes('unknown')");
        picture(page, "unknown-key");
        tabTo(page, "document.activeElement.id === 'key'");
        page.type(key);
        page.press("Enter");
        await(page, "document.querySelector('#machines.empty') !== null");
        assertTrue(page.evaluate("document.querySelector('#trouble').hidden").asBoolean());
        assertEquals("Machines - Outpost", page.evaluate("document.title").asText());
    }

    private static void skipToTheContent(Chromium page) {
        page.evaluate("document.activeElement.blur()");
        tabTo(page, "document.activeElement.className === 'skip'");
        picture(page, "skip");
        page.press("Enter");
        assertEquals("page", page.evaluate("document.activeElement.id").asText());
        await(page, "document.querySelector('#machines.empty') !== null");
    }

    private static void endAMachineByKeyboard(Chromium page, BackendClient client) {
        String id = UUID.randomUUID().toString();
        client.put("/v1/machines/" + id, Map.of("gpu", "any", "life", "PT10M", "owner", "ada@laptop"));
        page.evaluate("document.activeElement.blur()");
        tabTo(page, "document.activeElement.textContent === 'Machines'");
        page.press("Enter");
        await(page, "document.querySelector('tr[data-machine=\"" + id + "\"]') !== null");
        tabTo(page, "document.activeElement.closest('tr')?.dataset.machine === '" + id + "'");
        picture(page, "focus");
        page.press("Enter");
        await(page, "document.querySelector('[data-action=end]') !== null");
        tabTo(page, "document.activeElement.dataset.action === 'end'");
        page.press("Enter");
        await(page, "document.querySelector('#confirm').open");
        assertEquals(
                "Cancel", page.evaluate("document.activeElement.textContent").asText());
        picture(page, "question");
        page.press("Escape");
        await(page, "!document.querySelector('#confirm').open");
        assertEquals(
                "end", page.evaluate("document.activeElement.dataset.action").asText(), "the focus is where it was");
        page.press("Enter");
        await(page, "document.querySelector('#confirm').open");
        tabTo(page, "document.activeElement.id === 'yes'");
        page.press("Enter");
        await(page, "!document.querySelector('#confirm').open");
        await(page, "document.querySelector('[data-action=end]') === null");
    }

    /** Presses Tab until a JavaScript expression is true. */
    private static void tabTo(Chromium page, String isThere) {
        for (int tabs = 0; tabs < MAX_TABS; tabs++) {
            page.press("Tab");
            if (page.evaluate(isThere).asBoolean()) {
                return;
            }
        }
        throw new AssertionError("Tab does not lead there: " + isThere);
    }

    // ---- refused, failed, not answered

    /** Requests to change something are refused for a member who may only read since then: the dialog shows it, and stays open. */
    private static void refuse(Chromium page, BackendClient client) {
        String id = UUID.randomUUID().toString();
        client.put("/v1/machines/" + id, Map.of("gpu", "any", "life", "PT10M", "owner", "ada@laptop"));
        client.put("/v1/members/eve@example.com", Map.of("role", "DEVELOPER"));
        String key = client.post(
                        "/v1/keys",
                        Map.of("name", "eve", "member", "eve@example.com", "scopes", List.of("READ", "MACHINES")))
                .path("key")
                .asText();
        page.evaluate("fetch('/v1/session', {method: 'POST', headers: {'Content-Type': 'application/json'},"
                + " body: JSON.stringify({key: '" + key + "'})}).then(() => location.reload())");
        await(page, "document.querySelector('a[href=\"#/audit\"]') === null && document.querySelector('nav') !== null");
        go(page, "#/clusters");
        await(page, "document.querySelector('#page h2')?.textContent === 'This page cannot be shown'");
        assertFalse(text(page, "#trouble").isBlank());
        capture(page, "#/clusters", "refused");
        go(page, "#/machines/" + id);
        await(page, "document.querySelector('[data-action=end]') !== null");
        client.put("/v1/members/eve@example.com", Map.of("role", "VIEWER"));
        page.evaluate("document.querySelector('[data-action=end]').click()");
        page.evaluate("document.querySelector('#yes').click()");
        await(page, "document.querySelector('#refusal').textContent !== ''");
        assertTrue(page.evaluate("document.querySelector('#confirm').open").asBoolean());
        picture(page, "refused-act");
        page.press("Escape");
        client.post("/v1/machines/" + id + ":end", Map.of());
        go(page, "#/");
        await(page, "document.querySelector('#trouble').hidden && document.querySelector('#summary') !== null");
    }

    /** A failure of the server is shown, displayed rows stay, and another page has no rows of the previous one. */
    private static void loseTheDatabase(Chromium page, Path data) throws IOException {
        go(page, "#/");
        await(page, "document.querySelector('#summary') !== null");
        Path database = data.resolve("postgres").resolve("database");
        long process = Long.parseLong(Files.readAllLines(database.resolve("postmaster.pid"))
                .getFirst()
                .strip());
        // Without its settings the server cannot start again.
        Files.move(database.resolve("postgresql.conf"), database.resolve("postgresql.conf.away"));
        ProcessHandle.of(process).ifPresent(server -> {
            server.descendants().forEach(ProcessHandle::destroyForcibly);
            server.destroyForcibly();
        });
        await(page, "!document.querySelector('#trouble').hidden");
        assertTrue(page.evaluate("document.querySelector('#summary') !== null").asBoolean());
        assertTrue(
                text(page, "#trouble")
                        .matches(
                                "the database (is away|gave no connection in time); .*\\. Below is what was read at [0-9 :-]{19} \\(UTC\\)\\."),
                () -> text(page, "#trouble"));
        capture(page, "#/", "failed-later");
        go(page, "#/budgets");
        await(page, "document.querySelector('#page h2')?.textContent === 'This page cannot be shown'");
        assertFalse(text(page, "#trouble").isBlank());
        capture(page, "#/budgets", "failed");
    }

    private static void loseTheBackend(Chromium page) {
        await(
                page,
                "document.querySelector('#trouble').textContent === 'The backend does not answer; it is asked again.'");
        capture(page, "#/budgets", "gone");
    }

    // ---- pictures

    private static void go(Chromium page, String hash) {
        page.evaluate("location.hash = '" + hash + "'");
    }

    /** Saves pictures in both themes, for a desktop and a phone. */
    private static void capture(Chromium page, String hash, String name) {
        go(page, hash);
        await(
                page,
                "document.querySelector('#page h2') !== null && document.querySelector('#page').getAttribute('aria-busy') !== 'true'");
        picture(page, name);
    }

    private static void picture(Chromium page, String name) {
        for (boolean isDark : List.of(false, true)) {
            for (int width : List.of(1280, 390)) {
                page.emulate(width, 800, isDark);
                String file = name + (isDark ? "-dark" : "-light") + (width < 1000 ? "-phone" : "") + ".png";
                assertTrue(
                        page.evaluate("document.documentElement.scrollWidth <= innerWidth")
                                .asBoolean(),
                        () -> file + " is wider than its screen");
                RenderedText.assertIsReadable(page, file);
                page.screenshot(PICTURES.resolve(file));
            }
        }
        page.emulate(1280, 800, false);
    }

    private static String text(Chromium page, String selector) {
        return page.evaluate("document.querySelector('" + selector + "').textContent")
                .asText();
    }

    private static void await(Chromium page, String condition) {
        Await.until(
                () -> condition + ", of "
                        + page.evaluate("document.body?.innerText ?? ''").asText(),
                () -> page.holds("document.readyState === 'complete' && (" + condition + ")"));
    }
}
