package dev.outpost.system.backend.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.SharedAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the dashboard with a user of the issuer: a login, every page in both themes and on a phone, and a logout. */
@Tag("full")
class DashboardPagesTest {
    /** Returns true if the name of the page in the list of pages is on the screen. */
    private static final String CURRENT_IS_VISIBLE =
            "[document.querySelector('nav a[aria-current]').getBoundingClientRect()]"
                    + ".every((place) => place.left >= 0 && place.right <= innerWidth)";

    private static final Duration TIMEOUT = Await.GUARD;
    private static final Path PICTURES = Path.of("target", "dashboard");
    /** The pictures of the documents, which {@code -Doutpost.golden=write} writes. */
    private static final Path OF_DOCUMENTS = Path.of("../../docs/images");

    private static final List<String> SHOWN =
            List.of("machines-light.png", "machines-light-phone.png", "usage-light.png", "projects-light-phone.png");

    private static final List<String> PAGES = List.of(
            "",
            "jobs",
            "schedules",
            "deployments",
            "programs",
            "usage",
            "budgets",
            "quotas",
            "prices",
            "token-prices",
            "projects",
            "members",
            "keys",
            "secrets",
            "webhooks",
            "audit");

    @TempDir
    Path folder;

    @Test
    void everyPageIsReadInBothThemesAndOnAPhone() {
        Optional<Path> program = Chromium.installed();
        assumeTrue(program.isPresent(), "no Chromium is installed here: apt-get install chromium");
        try (LoginIssuer issuer = LoginIssuer.start();
                BackendHost backend = BackendHost.start(
                        folder.resolve("backend"),
                        "OUTPOST_BACKEND_OBSERVE_EVERY",
                        "1s",
                        "OUTPOST_BACKEND_OIDC_ISSUER",
                        issuer.address(),
                        "OUTPOST_BACKEND_OIDC_ROLES",
                        "admins=default:ADMIN");
                Chromium page = Chromium.open(program.get(), backend.access().address() + "/", 1280, 800)) {
            fill(backend.client());
            String machine = machine(backend.client());
            logIn(page);
            readJob(page, job(backend.client()));
            try (RemoteMachine session = connect(backend, machine)) {
                Tensor held = session.tensor(new float[] {4711.25f, 2, 3, 4, 5, 6}, 2, 3);
                assertTrue(held.matmul(held.t()).sum().itemDouble() > 0);
                readInstructions(page, machine);
                capture(page, "#/machines/" + machine + "/instructions", "instructions");
            }
            capture(page, "#/machines/" + machine, "one-machine");
            PAGES.forEach(name -> capture(page, "#/" + name, name.isEmpty() ? "machines" : name));
            assertEquals(List.of(), page.errors());
            logOut(page, issuer);
        }
    }

    private static void fill(BackendClient client) {
        client.put("/v1/prices", Map.of("gpu", "any", "perHour", 3.6));
        client.put("/v1/quotas", Map.of("resource", "MACHINES", "allowed", 5));
        client.put("/v1/budgets", Map.of("period", "MONTH", "cap", 40));
        client.put("/v1/pools/warm", Map.of("gpu", "A100", "min", 1, "max", 2, "paused", true));
        client.put("/v1/deployments/chat", Map.of("model", "file:/models/chat", "max", 3));
        client.put("/v1/members/ada@example.com", Map.of("role", "DEVELOPER"));
        client.put("/v1/clusters/lab", Map.of("provider", "worker"));
        client.put("/v1/token-prices", Map.of("model", "chat", "perMillionNew", 2));
        client.put("/v1/secrets/HF_TOKEN", Map.of("value", "hidden"));
    }

    private static String machine(BackendClient client) {
        String id = UUID.randomUUID().toString();
        client.put("/v1/machines/" + id, Map.of("gpu", "any", "life", "PT10M", "owner", "ada@laptop"));
        Await.until(
                () -> client.get("/v1/machines/" + id).toString(),
                () -> client.get("/v1/machines/" + id).path("state").asText().equals("READY"));
        return id;
    }

    /** A job whose kind of machine no cluster has, so that it waits. */
    private static String job(BackendClient client) {
        byte[] program = "no program".getBytes(StandardCharsets.UTF_8);
        String hash = sha256(program);
        client.putBytes("/v1/files/" + hash + "?from=0&size=" + program.length, program);
        String id = UUID.randomUUID().toString();
        client.put(
                "/v1/jobs/" + id,
                Map.of(
                        "gpu",
                        "any",
                        "name",
                        "nightly",
                        "program",
                        hash,
                        "programName",
                        "app.jar",
                        "arguments",
                        List.of("--fast")));
        return id;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static RemoteMachine connect(BackendHost backend, String id) {
        SharedAccess access = backend.provider()
                .keeper()
                .orElseThrow()
                .share(id, GrantTerms.ALL)
                .await()
                .atMost(TIMEOUT);
        return RemoteMachine.connect(access.endpoint(), new MachineOptions());
    }

    private static void logIn(Chromium page) {
        await(page, "!document.querySelector('#issuer').hidden");
        page.screenshot(PICTURES.resolve("login-by-issuer.png"));
        page.evaluate("document.querySelector('#issuer').requestSubmit()");
        await(page, "document.querySelector('nav')?.hidden === false");
        assertEquals("Log out", text(page, "#leave"));
        assertEquals("", page.evaluate("location.search").asText(), "no code stays in the address");
        assertTrue(page.evaluate("sessionStorage.getItem('outpost-login') === null")
                .asBoolean());
    }

    private static void readJob(Chromium page, String id) {
        page.evaluate("location.hash = '#/jobs'");
        await(page, "document.querySelector('tr[data-job=\"" + id + "\"]') !== null");
        page.evaluate("document.querySelector('tr[data-job=\"" + id + "\"] a').click()");
        await(page, "document.querySelector('#runs') !== null");
        assertTrue(text(page, "dl").contains("app.jar --fast"), () -> text(page, "dl"));
        capture(page, "#/jobs/" + id, "job");
        await(
                page,
                "document.querySelector('[data-action=cancel]') !== null"
                        + " || document.querySelector('dl .state').textContent === 'failed'");
        if (page.evaluate("document.querySelector('[data-action=cancel]') !== null")
                .asBoolean()) {
            page.evaluate("document.querySelector('[data-action=cancel]').click()");
            assertTrue(text(page, "#question").startsWith("Job nightly is cancelled."));
            page.evaluate("document.querySelector('#yes').click()");
        }
        await(page, "['cancelled', 'failed'].includes(document.querySelector('dl .state').textContent)");
    }

    private static void readInstructions(Chromium page, String machine) {
        page.evaluate("location.hash = '#/machines/" + machine + "'");
        await(page, "document.querySelector('a[href$=\"/instructions\"]') !== null");
        page.evaluate("document.querySelector('a[href$=\"/instructions\"]').click()");
        await(page, "document.querySelector('pre.instructions')?.textContent.includes('matmul(')");
        String lines = text(page, "pre.instructions");
        assertTrue(lines.contains("float32[2,3]"), lines);
        assertFalse(lines.contains("4711"), lines);
    }

    /** Saves a picture of each page. No text is hard to read, nothing is wider than a phone, and axe finds no violations. */
    private static void capture(Chromium page, String hash, String name) {
        page.evaluate("location.hash = '" + hash + "'");
        await(
                page,
                "document.querySelector('#page h2') !== null && document.querySelector('#page').getAttribute('aria-busy') !== 'true'");
        for (boolean isDark : List.of(false, true)) {
            for (int width : List.of(1280, 390)) {
                page.emulate(width, 800, isDark);
                String picture = name + (isDark ? "-dark" : "-light") + (width < 1000 ? "-phone" : "") + ".png";
                RenderedText.assertIsReadable(page, picture);
                assertTrue(
                        page.evaluate("document.documentElement.scrollWidth <= innerWidth")
                                .asBoolean(),
                        () -> picture + " is wider than its screen: "
                                + page.evaluate("document.documentElement.scrollWidth"));
                await(page, CURRENT_IS_VISIBLE);
                if (!isDark) {
                    assertEquals(List.of(), page.violations(), picture);
                }
                page.screenshot(PICTURES.resolve("pages").resolve(picture));
                if (SHOWN.contains(picture) && "write".equals(System.getProperty("outpost.golden"))) {
                    page.screenshot(OF_DOCUMENTS.resolve("dashboard-" + picture.replace("-light", "")));
                }
            }
        }
        page.emulate(1280, 800, false);
    }

    private static void logOut(Chromium page, LoginIssuer issuer) {
        page.evaluate("document.querySelector('#leave').click()");
        await(page, "document.querySelector('#login')?.hidden === false");
        Await.until("the issuer was told", () -> issuer.loggedOut() == 1);
        assertEquals(
                401,
                page.evaluate("fetch('/v1/machines').then((answer) => answer.status)")
                        .asInt());
    }

    private static String text(Chromium page, String selector) {
        return page.evaluate("document.querySelector('" + selector + "').textContent")
                .asText();
    }

    /** A page that is being replaced has no document for a moment. */
    private static void await(Chromium page, String condition) {
        Await.until(
                () -> condition + ", of "
                        + page.evaluate("document.body?.innerText ?? ''").asText(),
                () -> page.holds("document.readyState === 'complete' && (" + condition + ")"));
    }
}
