package dev.outpost.system.backend.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the dashboard in a browser: its data of two machines equal those of the API. */
@Tag("full")
class DashboardTest {
    private static final Path PICTURES = Path.of("target", "dashboard");

    @TempDir
    Path folder;

    @Test
    void twoMachinesAreReadOffThePage() {
        Optional<Path> program = Chromium.installed();
        assumeTrue(program.isPresent(), "no Chromium is installed here: apt-get install chromium");
        try (BackendHost backend = BackendHost.start(
                folder.resolve("backend"),
                "OUTPOST_BACKEND_OBSERVE_EVERY",
                "1s",
                "OUTPOST_BACKEND_REPORT_EVERY",
                "1s",
                "OUTPOST_BACKEND_LOCAL_MACHINES",
                "2")) {
            BackendClient client = backend.client();
            client.put("/v1/prices", Map.of("gpu", "any", "perHour", 3.6));
            client.put("/v1/quotas", Map.of("resource", "MACHINES", "allowed", 5));
            String address = backend.access().address() + "/";
            try (Chromium page = Chromium.open(program.get(), address, 1280, 800)) {
                enter(page, backend.access().key());
                await(page, "document.querySelector('#machines.empty') !== null");
                Set<String> ids = new TreeSet<>(Set.of(start(client), start(client)));
                await(page, "document.querySelectorAll('tr[data-state=READY]').length === 2");
                assertEquals(ids, shown(page));
                page.screenshot(PICTURES.resolve("machines.png"));
                readOneMachine(page, ids.iterator().next());
                readUsage(page);
                readQuotas(page);
                readGrants(page, client, ids.iterator().next());
                readDeployments(page, client);
                readPools(page, client);
                readBudgets(page, client);
                readClusters(page, client);
                revokeKey(page, client);
                readMembers(page, client);
                readWhyOneWaits(page, client);
                assertOperatorsPagesAreAccessible(page);
                assertEquals(
                        List.of(),
                        page.errors().stream()
                                .filter(error -> !error.contains("/v1/members/"))
                                .toList());
                assertNoOtherSiteCanActHere(page);
                ids.forEach(id -> client.post("/v1/machines/" + id + ":end", Map.of()));
                page.evaluate("location.hash = '#/'");
                await(page, "document.querySelector('#machines.empty') !== null");
                page.screenshot(PICTURES.resolve("empty.png"));
            }
        }
    }

    private static String start(BackendClient client) {
        String id = UUID.randomUUID().toString();
        client.put("/v1/machines/" + id, Map.of("gpu", "any", "life", "PT10M", "owner", "ada@laptop"));
        return id;
    }

    private static void enter(Chromium page, String key) {
        await(page, "document.querySelector('#login') !== null && !document.querySelector('#login').hidden");
        page.screenshot(PICTURES.resolve("login.png"));
        page.evaluate("document.querySelector('#key').value = '" + key + "'");
        page.evaluate("document.querySelector('#login').requestSubmit()");
    }

    private static Set<String> shown(Chromium page) {
        Set<String> ids = new TreeSet<>();
        JsonNode machines =
                page.evaluate("[...document.querySelectorAll('tr[data-machine]')].map((row) => row.dataset.machine)");
        machines.forEach(id -> ids.add(id.asText()));
        return ids;
    }

    private static void readOneMachine(Chromium page, String id) {
        page.evaluate("location.hash = '#/machines/" + id + "'");
        await(page, "document.querySelector('#events') !== null && document.querySelector('#log') !== null");
        await(
                page,
                "['created', 'admitted', 'ready'].every((word) =>"
                        + " document.querySelector('#events').textContent.includes(word))");
        await(page, "document.querySelector('#log').textContent.includes('endpoint')");
        page.screenshot(PICTURES.resolve("machine.png"));
    }

    private static void readUsage(Chromium page) {
        page.evaluate("location.hash = '#/usage'");
        await(page, "document.querySelector('#usage tbody tr td:nth-child(3)')?.textContent === '2'");
        String cost = page.evaluate("document.querySelector('#usage tbody tr td:nth-child(5)').textContent")
                .asText();
        assertTrue(cost.matches("0\\.\\d{2,3}"), cost);
        await(page, "document.querySelectorAll('#cost-by-project rect[data-series=default]').length === 1");
        assertEquals(
                "any",
                page.evaluate("document.querySelector('#cost-by-gpu rect[data-series]').dataset.series")
                        .asText());
        page.screenshot(PICTURES.resolve("usage.png"));
    }

    /** A key is revoked by a button, after a confirmation. Its row and the audit log show it. */
    private static void revokeKey(Chromium page, BackendClient client) {
        String id = client.post("/v1/keys", Map.of("name", "for-a-day", "scopes", List.of("READ")))
                .path("id")
                .asText();
        page.evaluate("location.hash = '#/keys'");
        String button = "document.querySelector('tr[data-key=\"" + id + "\"] button')";
        await(page, button + " !== null");
        page.evaluate(button + ".click()");
        assertTrue(page.evaluate("document.querySelector('#confirm').open").asBoolean());
        assertEquals(
                "Key for-a-day opens nothing any more.",
                page.evaluate("document.querySelector('#question').textContent").asText());
        page.screenshot(PICTURES.resolve("question.png"));
        page.evaluate("document.querySelector('#confirm form').requestSubmit()");
        await(page, "!document.querySelector('#confirm').open");
        assertTrue(page.evaluate(button + " !== null").asBoolean(), "cancelled, nothing is done");
        page.evaluate(button + ".click()");
        page.evaluate("document.querySelector('#yes').click()");
        await(page, button + " === null && !document.querySelector('#confirm').open");
        page.evaluate("location.hash = '#/audit'");
        await(page, "document.querySelector('#audit tbody')?.textContent.includes('key.revoke')");
        page.screenshot(PICTURES.resolve("audit.png"));
    }

    /** A refusal is shown in the dialog, which stays open. */
    private static void readMembers(Chromium page, BackendClient client) {
        page.evaluate("location.hash = '#/members'");
        await(page, "document.querySelector('#members.empty') !== null");
        client.put("/v1/members/ada@example.com", Map.of("role", "DEVELOPER"));
        await(page, "document.querySelector('#members tbody') !== null");
        assertTrue(row(page, "#members tbody tr").startsWith("ada@example.com|all of the organisation|developer|"));
        client.delete("/v1/members/ada@example.com");
        page.evaluate("document.querySelector('#members [data-action=remove]').click()");
        page.evaluate("document.querySelector('#yes').click()");
        await(page, "document.querySelector('#refusal').textContent !== ''");
        page.evaluate("document.querySelector('#confirm').close()");
    }

    private static void readQuotas(Chromium page) {
        page.evaluate("location.hash = '#/quotas'");
        await(page, "document.querySelector('#quotas tbody') !== null");
        String row = page.evaluate(
                        "[...document.querySelectorAll('#quotas tbody td')].map((cell) => cell.textContent).join('|')")
                .asText();
        assertEquals("organisation/machines|all of the organisation|2|5|3|2 of 5|ChangeRemove", row);
        page.screenshot(PICTURES.resolve("quotas.png"));
    }

    private static void readGrants(Chromium page, BackendClient client, String id) {
        String hash = "ab".repeat(32);
        client.post(
                "/v1/machines/" + id + "/grants",
                Map.of("tokenSha256", hash, "owner", "grace@lab", "memoryBytes", 3 << 19, "weight", 50, "sessions", 2));
        page.evaluate("location.hash = '#/machines/" + id + "'");
        String row =
                "[...document.querySelectorAll('tr[data-grant=\"" + hash + "\"] td')].map((cell) => cell.textContent)";
        // The backend asks the machine regularly, and the machine answers that nobody has used it.
        await(page, row + "[6] === '0 of 2'");
        String shown = page.evaluate(row + ".join('|')").asText();
        assertEquals("abababab|grace@lab|holds|never|1.5 MiB|50|0 of 2|0 B|0.0 s|-|Take back", shown);
        page.screenshot(PICTURES.resolve("grants.png"));
    }

    private static void readDeployments(Chromium page, BackendClient client) {
        client.put("/v1/deployments/chat", Map.of("model", "file:/models/chat", "max", 3));
        page.evaluate("location.hash = '#/deployments'");
        // The text changes after the backend has processed the deployment for the first time.
        await(
                page,
                text("tr[data-deployment=chat]")
                        + " === 'chat|default|1|0 of 0 to 3|it has no replica until it is asked|ChangeRemove'");
        page.screenshot(PICTURES.resolve("deployments.png"));
        page.evaluate("location.hash = '#/deployments/chat'");
        await(page, "document.querySelector('#revisions tbody') !== null");
        assertTrue(row(page, "#revisions tbody tr").startsWith("1, rolled out|file:/models/chat|any|"));
        page.screenshot(PICTURES.resolve("deployment.png"));
    }

    private static void readPools(Chromium page, BackendClient client) {
        client.put("/v1/pools/warm", Map.of("gpu", "A100", "min", 1, "max", 2, "paused", true));
        page.evaluate("location.hash = '#/pools'");
        await(page, "document.querySelector('tr[data-pool=warm]')?.textContent.includes('it is paused')");
        assertEquals("warm|A100|0 of 1 to 2|it is paused|ChangeResumeRemove", row(page, "tr[data-pool=warm]"));
        page.screenshot(PICTURES.resolve("pools.png"));
    }

    private static void readBudgets(Chromium page, BackendClient client) {
        client.put("/v1/budgets", Map.of("period", "MONTH", "cap", 40));
        page.evaluate("location.hash = '#/budgets'");
        await(page, "document.querySelector('#budgets tbody') !== null");
        String shown = row(page, "#budgets tbody tr");
        assertTrue(
                shown.matches(
                        "organisation/month\\|0\\.\\d+\\|40\\|0\\.\\d+\\|39\\.\\d+ left, \\d+ minutes at this rate\\. Of the cap of 40\\.00: 0\\.\\d+ is spent; .* for another one\\|"
                                + "notify at 80 %, end at 100 %\\|ChangeRemove"),
                shown);
        page.screenshot(PICTURES.resolve("budgets.png"));
    }

    private static String row(Chromium page, String selector) {
        return page.evaluate(text(selector)).asText();
    }

    /** The expression for the cells of a row, with bars between them; empty if there is no such row. */
    private static String text(String selector) {
        return "[...(document.querySelector('" + selector
                + "')?.cells ?? [])].map((cell) => cell.textContent).join('|')";
    }

    private static void readClusters(Chromium page, BackendClient client) {
        client.put("/v1/clusters/lab", Map.of("provider", "worker"));
        page.evaluate("location.hash = '#/clusters'");
        await(page, "document.querySelectorAll('#clusters tbody tr').length === 2");
        String shown = page.evaluate("[...document.querySelectorAll('#clusters tbody tr')].map((row) =>"
                        + " [...row.cells].map((cell) => cell.textContent).join('|')).join(' / ')")
                .asText();
        assertTrue(shown.contains("lab|worker|away|every kind|0 of any number|-|never|-|"), shown);
        assertTrue(shown.matches(".*\\w+\\|process\\|active\\|every kind\\|2 of 2\\|-\\|\\d+ s ago\\|-\\|.*"), shown);
        page.screenshot(PICTURES.resolve("clusters.png"));
        client.delete("/v1/clusters/lab");
    }

    /** The other pages are those of {@link DashboardPagesTest}. */
    private static void assertOperatorsPagesAreAccessible(Chromium page) {
        for (String name : List.of("pools", "clusters", "organisations", "failures")) {
            page.evaluate("location.hash = '#/" + name + "'");
            await(page, "document.querySelector('#" + name + "') !== null");
            for (int width : List.of(1280, 390)) {
                page.emulate(width, 800, false);
                assertEquals(List.of(), page.violations(), name + " at " + width);
            }
        }
        page.emulate(1280, 800, false);
    }

    private static void readWhyOneWaits(Chromium page, BackendClient client) {
        page.evaluate("location.hash = '#/'");
        String id = start(client);
        await(
                page,
                "document.querySelector('tr[data-state=QUEUED] td:last-child')?.textContent.includes('room for 2')");
        String why = page.evaluate("document.querySelector('tr[data-state=QUEUED] td:last-child').textContent")
                .asText();
        assertTrue(why.startsWith("position 1 of 1 in the queue; cluster "), why);
        page.screenshot(PICTURES.resolve("waiting.png"));
        client.post("/v1/machines/" + id + ":end", Map.of());
    }

    /**
     * An injected script does not run, and a change without the token of the session, as from another site, is refused.
     */
    private static void assertNoOtherSiteCanActHere(Chromium page) {
        page.evaluate("(() => { const script = document.createElement('script');"
                + " script.textContent = 'window.intruder = 1'; document.body.append(script); })()");
        assertTrue(page.evaluate("window.intruder === undefined").asBoolean());
        assertEquals("", page.evaluate("document.cookie").asText());
        assertEquals(
                403,
                page.evaluate("fetch('/v1/pools/warm', {method: 'DELETE'}).then((answer) => answer.status)")
                        .asInt());
    }

    private static void await(Chromium page, String condition) {
        Await.until(
                () -> condition + ", of "
                        + page.evaluate("document.body?.innerText ?? ''").asText(),
                () -> page.holds("document.readyState === 'complete' && (" + condition + ")"));
    }
}
